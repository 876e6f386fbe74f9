import { InvalidPostback, type PostbackParameters } from './raw-query.ts';

/**
 * Reads the flat values of an object of a JSON body as parameters. Numbers keep their text, so that no amount becomes a
 * float. Null counts as absent. Lists and objects are ignored.
 * @throws InvalidPostback if the body is not JSON in UTF-8, or has no such object
 */
export function jsonParameters(body: Buffer, objectName: string): PostbackParameters {
  const whole = parse(body);
  const object = isObject(whole) ? whole[objectName] : undefined;
  if (!isObject(object)) throw new InvalidPostback(`${objectName} is missing`);
  const parameters = new Map<string, string>();
  for (const [name, value] of Object.entries(object)) {
    if (typeof value === 'string') parameters.set(name, value);
    else if (typeof value === 'boolean') parameters.set(name, String(value));
  }
  return parameters;
}

function parse(body: Buffer): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
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
