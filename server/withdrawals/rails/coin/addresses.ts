import { Address } from '@scure/btc-signer';
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
  networkOf: (config: Config) => CoinNetwork;
};

export const coinDestination = ({ name, pattern, versions, networkOf }: AddressFacts): Destination =>
  addressDestination(name, { kind: 'code', pattern }, (address, config) =>
    coinAddress(address, versions[networkOf(config)]),
  );

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
