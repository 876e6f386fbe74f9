import { isUtf8 } from 'node:buffer';
import { escapedBytes, InvalidPostback, type PostbackParameters } from './raw-query.ts';

/**
 * Reads the flat values of an object of a JSON body as parameters. Numbers keep their text, so that no amount becomes a
 * float. Null counts as absent. Lists and objects are ignored. In a body that is not UTF-8, bytes above ASCII stand as
 * percent escapes in the labels; a deciding parameter keeps them, and its reader refuses it.
 * @throws InvalidPostback if the body is not JSON, or has no such object
 */
export function jsonParameters(
  body: Buffer,
  objectName: string,
  deciding: ReadonlySet<string>,
): PostbackParameters {
  const isText = isUtf8(body);
  const whole = parse(body.toString(isText ? 'utf8' : 'latin1'));
  const object = isObject(whole) ? whole[objectName] : undefined;
  if (!isObject(object)) throw new InvalidPostback(`${objectName} is missing`);
  const parameters = new Map<string, string>();
  for (const [name, value] of Object.entries(object)) {
    if (typeof value === 'string')
      parameters.set(name, isText || deciding.has(name) ? value : escapedBytes(value));
    else if (typeof value === 'boolean') parameters.set(name, String(value));
  }
  return parameters;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text, asWritten as Parameters<typeof JSON.parse>[1]);
  } catch {
    throw new InvalidPostback('The body is no JSON');
  }
}

/** A reviver that returns numbers as their text in the source. */
const asWritten = (_name: string, value: unknown, { source }: { source?: string } = {}): unknown =>
  typeof value === 'number' ? (source ?? String(value)) : value;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
