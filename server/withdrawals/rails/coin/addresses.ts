import { Address } from '@scure/btc-signer';
import type { AddressFault } from '#contract/address-faults.ts';
import type { Config } from '#platform/config.ts';
import { addressDestination } from '../address-destination.ts';
import type { Destination } from '../rail.ts';

/**
 * A coin's address as a destination: its checksum, coin and network are checked. The node checks it again before
 * anything is signed, and may refuse an address that passes here.
 */
export type CoinNetwork = 'main' | 'test' | 'regtest';
export type AddressVersions = { bech32: string; pubKeyHash: number; scriptHash: number };

export type AddressFacts = {
  name: string;
  /** The pattern of main-network addresses, for a hint. */
  pattern: string;
  versions: Readonly<Record<CoinNetwork, AddressVersions>>;
  /** The first characters of payable addresses, for a refusal. */
  beginnings: Readonly<Record<CoinNetwork, readonly string[]>>;
  /** Forms of the coin's own addresses that are not paid, and why. */
  unpayable?: readonly (readonly [form: RegExp, fault: AddressFault])[];
  networkOf: (config: Config) => CoinNetwork;
};

export const coinDestination = (facts: AddressFacts): Destination =>
  addressDestination(facts.name, { kind: 'code', pattern: facts.pattern }, (address, config) => {
    const network = facts.networkOf(config);
    const { versions, beginnings } = facts;
    return (
      coinAddress(address, versions[network]) ?? {
        fault: faultOf(address, facts, network),
        beginnings: beginnings[network],
      }
    );
  });

/** Bitcoin, Ethereum and its kin, Tron, Dogecoin: what members paste by mistake. */
const otherCoins = /^(?:(?:bc|tb)1[a-z0-9]+|0x[0-9a-f]{40}|[13TD][1-9A-HJ-NP-Za-km-z]{25,34})$/i;

function faultOf(address: string, facts: AddressFacts, network: CoinNetwork): AddressFault {
  const { unpayable = [], versions, beginnings } = facts;
  const own = unpayable.find(([form]) => form.test(address));
  if (own !== undefined) return own[1];
  if (/[\s:/?]/.test(address)) return 'not-alone';
  if (network === 'main' && [versions.test, versions.regtest].some((one) => coinAddress(address, one)))
    return 'test-network';
  const begins = (start: string) => address.toLowerCase().startsWith(start.toLowerCase());
  const isLong = beginnings[network].some((start) => start.length > 1 && begins(start));
  if (isLong || beginnings[network].some((start) => address.startsWith(start))) return 'mistyped';
  return otherCoins.test(address) ? 'other-coin' : 'other-form';
}

/** The human-readable part for a coin without segregated witness. No address that passes `BASE58` contains it. */
export const NO_BECH32 = '-';

const BASE58 = /^[1-9A-HJ-NP-Za-km-z]{20,64}$/;
const LENGTH_MAX = 100;

/**
 * Returns the address in the form that is stored and paid. Undefined if it is not an address of this coin and network.
 * An all-capital bech32 address (common in QR codes) is converted to lower case. Mixed case is refused.
 */
function coinAddress(address: string, versions: AddressVersions): string | undefined {
  const text = address.toLowerCase().startsWith(`${versions.bech32}1`) ? lowerCased(address) : address;
  return text !== undefined && isCoinAddress(text, versions) ? text : undefined;
}

function lowerCased(address: string): string | undefined {
  return address === address.toUpperCase() || address === address.toLowerCase()
    ? address.toLowerCase()
    : undefined;
}

function isCoinAddress(address: string, versions: AddressVersions): boolean {
  const isBech32 = address.startsWith(`${versions.bech32}1`);
  if (address.length > LENGTH_MAX || (!isBech32 && !BASE58.test(address))) return false;
  try {
    Address({ ...versions, wif: 0 }).decode(address);
    return true;
  } catch {
    return false; // the library reports a wrong checksum, coin or network only by throwing
  }
}
