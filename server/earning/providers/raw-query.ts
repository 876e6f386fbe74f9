import type { RawPostback } from './provider.ts';

/**
 * Reads a query without changing it. Companies sign the text that they send, so signatures are checked over the
 * received bytes, and a call is decoded only after its signature was verified. URLs have one character per byte, as in
 * Node's parser.
 */
export type RawParameter = { readonly name: string; readonly value: string };

/** Parameters by decoded name. */
export type PostbackParameters = ReadonlyMap<string, string>;

/** A deciding parameter is missing, repeated or malformed. Only `verdict.ts` catches this. */
export class InvalidPostback extends Error {
  override readonly name = 'InvalidPostback';
}

/**
 * The called URL in the form that the company signed: the public origin, then path and query byte for byte. The host of
 * the request is ignored, also in a request line of absolute form (`GET http://host/path`).
 */
export function receivedUrl(publicOrigin: string, requestTarget: string): string {
  return publicOrigin + requestTarget.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i, '');
}

/** Splits a URL's query in its parameters, in order, with repeated ones, without decoding. */
export function splitQuery(url: string): readonly RawParameter[] {
  const start = url.indexOf('?');
  if (start < 0) return [];
  return url
    .slice(start + 1)
    .split('&')
    .filter((piece) => piece !== '')
    .map((piece) => {
      const equals = piece.indexOf('=');
      return equals < 0
        ? { name: piece, value: '' }
        : { name: piece.slice(0, equals), value: piece.slice(equals + 1) };
    });
}

/** Removes the parameters with exactly this name from a URL. All other bytes stay unchanged. */
export function withoutParameter(url: string, name: string): string {
  const start = url.indexOf('?');
  if (start < 0) return url;
  const pieces = url.slice(start + 1).split('&');
  const kept = pieces.filter((piece) => piece !== name && !piece.startsWith(`${name}=`));
  return kept.length === 0 ? url.slice(0, start) : `${url.slice(0, start)}?${kept.join('&')}`;
}

/** Whether each character is one byte. A hash would cut others to a byte, so that two URLs could share a hash. */
export function isBytes(url: string): boolean {
  return Buffer.from(url, 'latin1').toString('latin1') === url;
}

/**
 * The first value with exactly this name, as received. Empty if there is none, like an empty macro.
 */
export function rawValue(query: readonly RawParameter[], name: string): string {
  return query.find((parameter) => parameter.name === name)?.value ?? '';
}

/**
 * Decodes a query. A deciding parameter that is repeated or malformed is an invalid postback. Of the others the last
 * one counts, as for PHP, and what is no escape or no UTF-8 in them stays as it came.
 */
export function decodeQuery(
  query: readonly RawParameter[],
  deciding: ReadonlySet<string>,
): PostbackParameters {
  const parameters = new Map<string, string>();
  for (const { name: rawName, value } of query) {
    const name = decodeLeniently(rawName);
    if (!deciding.has(name)) {
      parameters.set(name, decodeLeniently(value));
      continue;
    }
    if (parameters.has(name)) throw new InvalidPostback(`${name} is repeated`);
    const decoded = decode(value);
    if (decoded === undefined) throw new InvalidPostback(`${name} is not percent-encoded UTF-8`);
    parameters.set(name, decoded);
  }
  return parameters;
}

/** Form decoding: `+` is a space, percent signs and bytes above ASCII are UTF-8. `undefined` if it is malformed. */
function decode(raw: string): string | undefined {
  if (!/[^\x20-\x24\x26-\x2a\x2c-\x7e]/.test(raw)) return raw;
  return decodedEscapes(escapedBytes(raw.replaceAll('+', ' ')));
}

/** One escape of ASCII, or a row of others. */
const ESCAPES = /%[0-7][0-9a-f]|(?:%[89a-f][0-9a-f])+/gi;

/** Form decoding of the escapes that are right. Others stay as they came, so a name never becomes a deciding one. */
function decodeLeniently(raw: string): string {
  const whole = decode(raw);
  if (whole !== undefined) return whole;
  return escapedBytes(raw.replaceAll('+', ' ')).replace(
    ESCAPES,
    (row) => decodedEscapes(row) ?? decodedBeginning(row),
  );
}

/** A row of escapes whose last character is cut; of a row in another encoding, nothing is decoded. */
function decodedBeginning(row: string): string {
  for (const cutAt of [-3, -6, -9]) {
    const decoded = decodedEscapes(row.slice(0, cutAt));
    if (decoded !== undefined) return decoded + row.slice(cutAt);
  }
  return row;
}

/** Bytes above ASCII, of text with one character per byte, as percent escapes. */
export const escapedBytes = (text: string): string =>
  text.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);

function decodedEscapes(escaped: string): string | undefined {
  try {
    return decodeURIComponent(escaped);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/**
 * A provider's call as text, as it is stored: the method and the URL, the header with the signature if its company
 * signs in one, and the body after an empty line. Other headers are not stored.
 */
const RAW_LENGTH_MAX = 8_000;
const HEADER_LENGTH_MAX = 500;

/** Removes NUL and half characters, which the database can't store. One such text would fail the whole batch. */
export const storable = (text: string, lengthMax: number): string =>
  text.replaceAll('\u0000', '\uFFFD').slice(0, lengthMax).toWellFormed();

export function rawTextOf(
  { method, url, headers, rawBody }: RawPostback,
  signatureHeader: string | undefined,
): string {
  const value = signatureHeader === undefined ? undefined : headers[signatureHeader];
  const header =
    typeof value === 'string' ? `\n${signatureHeader}: ${value.slice(0, HEADER_LENGTH_MAX)}` : '';
  const body = rawBody.length === 0 ? '' : `\n\n${rawBody.toString('utf8')}`;
  return storable(`${method} ${url}${header}${body}`, RAW_LENGTH_MAX);
}

/** The call of a stored text. `isCut`: its end is missing, so it is no whole call. */
export function readRawText(text: string): { raw: RawPostback; isCut: boolean } {
  const bodyAt = text.indexOf('\n\n');
  const [line = '', header] = (bodyAt < 0 ? text : text.slice(0, bodyAt)).split('\n');
  const urlAt = line.indexOf(' ');
  const colonAt = header?.indexOf(': ') ?? -1;
  const headers =
    header === undefined || colonAt < 0 ? {} : { [header.slice(0, colonAt)]: header.slice(colonAt + 2) };
  const raw: RawPostback = {
    method: line.startsWith('POST ') ? 'POST' : 'GET',
    url: line.slice(urlAt + 1),
    headers,
    rawBody: Buffer.from(bodyAt < 0 ? '' : text.slice(bodyAt + 2)),
  };
  return { raw, isCut: text.length >= RAW_LENGTH_MAX };
}

/** The secret last segment of the called path, and which of the two URLs was called. */
export function pathOf(url: string): { pathToken: string | null; isChargebackOnly: boolean } {
  const path = /\/api\/webhooks\/(postback|chargeback)\/[^/?]*(?:\/([^?]*))?/.exec(url);
  return { pathToken: path?.[2] || null, isChargebackOnly: path?.[1] === 'chargeback' };
}
