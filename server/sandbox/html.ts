/** A piece of HTML. The `html` tag escapes every value that is not a piece of HTML itself. */
export type Html = { readonly html: string };

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => escapes[character] ?? '');

type Value = string | number | Html | readonly Html[];

const textOf = (value: Value): string => {
  if (typeof value === 'string' || typeof value === 'number') return escaped(String(value));
  return 'html' in value ? value.html : value.map((piece) => piece.html).join('');
};

export function html(strings: TemplateStringsArray, ...values: Value[]): Html {
  return { html: strings.reduce((before, part, index) => before + textOf(values[index - 1] ?? '') + part) };
}

/** Style or script of the program, which is not escaped. Never pass it input. */
export const verbatim = (text: string): Html => ({ html: text });
