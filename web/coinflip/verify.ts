import type { Side } from '#contract/coinflip.ts';

/** Computes a draw with the browser's own cryptography, without a call to the site. */

export type Seeds = { serverSeed: string; clientSeed: string; nonce: number };

/** A computed draw. Both texts are hexadecimal; `seal` is the hash of the server seed. */
export type Draw = { seal: string; mac: string; firstByte: number; side: Side };

/** Browsers offer this on https and on localhost only. */
export const canVerify = (): boolean => globalThis.crypto?.subtle !== undefined;

const bytesOf = (text: string) => new TextEncoder().encode(text);

const hexOf = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Computes a draw: SHA-256 of the server seed's text, and HMAC-SHA256 of `clientSeed:nonce` with that text as key. */
export async function repeatDraw({ serverSeed, clientSeed, nonce }: Seeds): Promise<Draw> {
  const { subtle } = globalThis.crypto;
  const text = bytesOf(serverSeed);
  const key = await subtle.importKey('raw', text, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const [seal, mac] = await Promise.all([
    subtle.digest('SHA-256', text),
    subtle.sign('HMAC', key, bytesOf(`${clientSeed}:${nonce}`)),
  ]);
  const firstByte = new Uint8Array(mac)[0] ?? 0;
  return { seal: hexOf(seal), mac: hexOf(mac), firstByte, side: firstByte % 2 === 0 ? 'heads' : 'tails' };
}
