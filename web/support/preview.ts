/** So much of a request and of its answer stands in the list. */
export const MESSAGE_SHOWN = 100;
export const ANSWER_SHOWN = 80;

/** The beginning of a text, with a mark where it is cut. A character is never cut in two. */
export function previewOf(text: string, most: number): string {
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, most).join('')}…`;
}
