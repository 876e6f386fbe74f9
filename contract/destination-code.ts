import { sha256 } from '@noble/hashes/sha2.js';
import { bech32, bech32m, createBase58check } from '@scure/base';
import type { AddressFault } from './address-faults.ts';

/**
 * The check of a coin's address, for the form while it is typed and for the server that stores it: its checksum, coin
 * and network. The node checks it again before anything is signed, and may refuse an address that passes here.
 */
export type AddressVersions = { bech32: string; pubKeyHash: number; scriptHash: number };

export type CodeFacts = {
  versions: AddressVersions;
  /** Those of the coin's networks that are not paid. */
  foreignVersions: readonly AddressVersions[];
  /** The first characters of payable addresses. */
  beginnings: readonly string[];
  /** Forms of the coin's own addresses that are not paid, as regular expressions, and why. */
  unpayable: readonly { form: string; fault: AddressFault }[];
};

/** What an address is, as far as it is typed. An unfinished one may still become right, at the length `whole`. */
export type TypedAddress =
  | { state: 'right'; address: string }
  | { state: 'unfinished'; length: number; whole: number }
  | { state: 'wrong'; fault: AddressFault; coin?: ForeignCoin };

/** The coins whose addresses members paste by mistake. No method pays them. */
const foreignForms = {
  bitcoin: /^(?:(?:bc|tb)1[a-z0-9]+|(?:BC|TB)1[A-Z0-9]+|[13][1-9A-HJ-NP-Za-km-z]{25,34})$/,
  ethereum: /^0x[0-9a-f]{40}$/i,
  dogecoin: /^D[1-9A-HJ-NP-Za-km-z]{25,34}$/,
};
export type ForeignCoin = keyof typeof foreignForms;
const foreignCoins = Object.keys(foreignForms) as ForeignCoin[];

/** The human-readable part for a coin without segregated witness. No address that passes `BASE58` contains it. */
export const NO_BECH32 = '-';

const BASE58 = /^[1-9A-HJ-NP-Za-km-z]+$/;
const BECH32 = /^[02-9ac-hj-np-z]*$/;
const LENGTH_MAX = 100;
const PAYLOAD_BYTES = 21;
/** The usual length of 21 bytes and their checksum. A shorter one may be right, and is found right before. */
const BASE58_WHOLE = 34;
/** What follows the human-readable part and its `1`: the version, the program and the checksum. */
const SHORT_TAIL = 39;
const LONG_TAIL = 59;

const base58check = createBase58check(sha256);

/** Tron's, which is no mistake that is common enough for a name. */
const otherCoins = /^T[1-9A-HJ-NP-Za-km-z]{25,34}$/;

/**
 * An address without what a wallet's share button copies around it, the coin before and the amount behind. Spaces are
 * left out, and letters of full width become usual ones.
 */
export const bareAddress = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\s+/g, '')
    .replace(/^(?!https?:)[a-z]+:(?:\/\/)?/i, '')
    .replace(/[?#].*$/, '');

export function judgeAddress(address: string, facts: CodeFacts): TypedAddress {
  const right = coinAddress(address, facts.versions);
  if (right !== undefined) return { state: 'right', address: right };
  const own = facts.unpayable.find(({ form }) =>
    [address, address.toLowerCase()].some((text) => new RegExp(form).test(text)),
  );
  if (own !== undefined) return { state: 'wrong', fault: own.fault };
  if (/[\s:/?]/.test(address)) return { state: 'wrong', fault: 'not-alone' };
  if (facts.foreignVersions.some((versions) => coinAddress(address, versions) !== undefined))
    return { state: 'wrong', fault: 'test-network' };
  if (facts.beginnings.some((start) => begins(address, start))) return judgeOwn(address, facts.versions);
  const coin = foreignCoins.find((one) => foreignForms[one].test(address));
  if (coin !== undefined) return { state: 'wrong', fault: 'other-coin', coin };
  return { state: 'wrong', fault: otherCoins.test(address) ? 'other-coin' : 'other-form' };
}

/** Whether an address begins so, as far as it is typed. Only a long beginning may be in capitals. */
function begins(address: string, start: string): boolean {
  if (start.length === 1) return address.startsWith(start);
  const text = address.toLowerCase();
  return text.startsWith(start) || start.startsWith(text);
}

/** An address that begins as the coin's own do, and whose checksum is not right, or not yet. */
function judgeOwn(address: string, { bech32: part }: AddressVersions): TypedAddress {
  const unfinished = (whole: number): TypedAddress => ({
    state: 'unfinished',
    length: address.length,
    whole,
  });
  const mistyped: TypedAddress = { state: 'wrong', fault: 'mistyped' };
  const head = `${part}1`;
  const text = sameCase(address);
  if (begins(address, head) && text !== undefined) {
    const [short, long] = [head.length + SHORT_TAIL, head.length + LONG_TAIL];
    const tail = text.slice(head.length);
    const version = tail.charAt(0);
    if (!BECH32.test(tail) || !['', 'q', 'p'].includes(version)) return mistyped;
    if (version !== 'p' && text.length < short) return unfinished(short);
    return text.length < long && (version === 'p' || text.length > short) ? unfinished(long) : mistyped;
  }
  return BASE58.test(address) && address.length < BASE58_WHOLE ? unfinished(BASE58_WHOLE) : mistyped;
}

/**
 * The address in the form that is stored and paid. Undefined if it is not an address of this coin and network. An
 * all-capital bech32 address (common in QR codes) is converted to lower case. Mixed case is refused.
 */
function coinAddress(address: string, versions: AddressVersions): string | undefined {
  if (address.length > LENGTH_MAX) return undefined;
  if (!address.toLowerCase().startsWith(`${versions.bech32}1`))
    return isBase58(address, versions) ? address : undefined;
  const text = sameCase(address);
  return text !== undefined && isWitness(text, versions.bech32) ? text : undefined;
}

const sameCase = (address: string): string | undefined =>
  address === address.toUpperCase() || address === address.toLowerCase() ? address.toLowerCase() : undefined;

function isBase58(address: string, { pubKeyHash, scriptHash }: AddressVersions): boolean {
  const payload = BASE58.test(address) ? decoded(() => base58check.decode(address)) : undefined;
  return payload?.length === PAYLOAD_BYTES && [pubKeyHash, scriptHash].includes(payload[0] ?? -1);
}

/**
 * Version 0 has programs of 20 and 32 bytes, version 1 (Taproot, with another checksum) of 32. Later ones have no
 * rule.
 */
function isWitness(address: string, part: string): boolean {
  const [codec, version] = address.charAt(part.length + 1) === 'q' ? [bech32, 0] : [bech32m, 1];
  const program = decoded(() => {
    const { prefix, words } = codec.decode(address as `${string}1${string}`);
    return prefix === part && words[0] === version ? codec.fromWords(words.slice(1)) : undefined;
  });
  return program?.length === 32 || (version === 0 && program?.length === 20);
}

/** The bytes; undefined if they are none. The library reports a wrong checksum only by throwing. */
function decoded(decode: () => Uint8Array | undefined): Uint8Array | undefined {
  try {
    return decode();
  } catch {
    return undefined;
  }
}
