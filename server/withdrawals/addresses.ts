import { Address } from '@scure/btc-signer';
import { z } from 'zod';
import type { Method } from '#contract/withdrawals.ts';

/**
 * Which payout addresses are right: checksum, coin and network. What passes here can still be refused by the node,
 * which has the last word before anything is signed.
 *
 * Version bytes are those of `chainparams.cpp` in Litecoin Core 0.21 and Dash Core. Litecoin's old script form (`3…`,
 * on test networks `2…`) is left out on purpose, because it can't be told from a Bitcoin address; MWEB addresses
 * (`ltcmweb1…`) have another human-readable part and so never match.
 */
export type CoinNetwork = 'main' | 'test' | 'regtest';
export type Coin = 'litecoin' | 'dash';
export type CoinNetworks = Readonly<Record<Coin, CoinNetwork>>;

type Versions = { bech32: string; pubKeyHash: number; scriptHash: number };

/** Dash has no segregated witness; the human-readable part `-` can't occur in what `BASE58` lets through. */
const NO_BECH32 = '-';

export const addressVersions: Readonly<Record<Coin, Readonly<Record<CoinNetwork, Versions>>>> = {
  litecoin: {
    main: { bech32: 'ltc', pubKeyHash: 0x30, scriptHash: 0x32 },
    test: { bech32: 'tltc', pubKeyHash: 0x6f, scriptHash: 0x3a },
    regtest: { bech32: 'rltc', pubKeyHash: 0x6f, scriptHash: 0x3a },
  },
  dash: {
    main: { bech32: NO_BECH32, pubKeyHash: 0x4c, scriptHash: 0x10 },
    test: { bech32: NO_BECH32, pubKeyHash: 0x8c, scriptHash: 0x13 },
    regtest: { bech32: NO_BECH32, pubKeyHash: 0x8c, scriptHash: 0x13 },
  },
};

const BASE58 = /^[1-9A-HJ-NP-Za-km-z]{20,64}$/;
const LENGTH_MAX = 100;
const email = z.email().max(254);

/**
 * The address in the form that is stored and paid, or undefined when it is not one of this method and network. An
 * all-capital bech32 address (as QR codes carry it) is the same address in lower case; mixed case is refused. An e-mail
 * address is kept in lower case, as everywhere.
 */
export function payoutAddress(method: Method, address: string, networks: CoinNetworks): string | undefined {
  if (method === 'paypal') return email.safeParse(address).success ? address.toLowerCase() : undefined;
  const versions = addressVersions[method][networks[method]];
  const text = address.toLowerCase().startsWith(`${versions.bech32}1`) ? lowerCased(address) : address;
  return text !== undefined && isCoinAddress(text, versions) ? text : undefined;
}

function lowerCased(address: string): string | undefined {
  return address === address.toUpperCase() || address === address.toLowerCase()
    ? address.toLowerCase()
    : undefined;
}

function isCoinAddress(address: string, versions: Versions): boolean {
  const isBech32 = address.startsWith(`${versions.bech32}1`);
  if (address.length > LENGTH_MAX || (!isBech32 && !BASE58.test(address))) return false;
  try {
    Address({ ...versions, wif: 0 }).decode(address);
    return true;
  } catch {
    return false; // the library tells a wrong checksum, coin or network only by throwing
  }
}
