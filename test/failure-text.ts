import { stripVTControlCharacters } from 'node:util';

const CAUSES_MAX = 5;

/** A failed test in one line: its title, what was thrown, and each cause, such as the refused connection of a fetch. */
export function failureText(title: string, thrown: unknown): string {
  const texts: string[] = [];
  for (let error = thrown; error !== undefined && texts.length <= CAUSES_MAX; error = causeOf(error))
    texts.push(textOf(error));
  return oneLine(`${title}: ${texts.join('; cause: ')}`);
}

/** The start of a text without its line breaks and colours. */
const oneLine = (text: string): string =>
  stripVTControlCharacters(text).replaceAll(/\s+/g, ' ').slice(0, 1_000);

const causeOf = (thrown: unknown): unknown => (thrown instanceof Error ? thrown.cause : undefined);

/** The error with its code. One of several connections has no message of its own, but the errors of each. */
function textOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const { code, errors = [] } = thrown as { code?: unknown; errors?: unknown[] };
  const text = String(thrown);
  const withCode = typeof code === 'string' && !text.includes(code) ? `${text} (${code})` : text;
  return errors.length === 0 ? withCode : `${withCode}: ${errors.map(textOf).join(', ')}`;
}
