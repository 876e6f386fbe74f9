import { readFile, stat } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Reader } from 'maxmind';
import type { Network, NetworkKind } from '#contract/network.ts';
import { ConfigFault } from './config.ts';
import { publicAddressOf } from './public-address.ts';

/**
 * Of which country and kind a network address is, by the operator's own files of GEOIP_DB. Nothing is guessed without
 * one, and private and loopback addresses are never looked up. The files are read at the start and kept in memory.
 */
export type Networks = {
  /** Null without a file, for an address that is not public, and for one of which no file knows anything. */
  find(address: string): Network | null;
};

export const noNetworks: Networks = { find: () => null };

const FILE_BYTES_MAX = 512 * 1024 * 1024;
const TEXT_LENGTH_MAX = 100;

/** What is read of a record. The files are the operator's, so each value may be anything. */
type Entry = Readonly<Record<string, unknown>>;

const flags: readonly (readonly [string, NetworkKind])[] = [
  ['is_anonymous_vpn', 'vpn'],
  ['is_public_proxy', 'proxy'],
  ['is_residential_proxy', 'proxy'],
  ['is_tor_exit_node', 'tor'],
  ['is_hosting_provider', 'hosting'],
];

const fieldOf = (entry: Entry, name: string): unknown => entry[name];

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value.slice(0, TEXT_LENGTH_MAX) : null;

function countryOf(entry: Entry): string | null {
  const { country } = entry;
  const isObject = typeof country === 'object' && country !== null;
  const code = isObject ? fieldOf(country as Entry, 'iso_code') : fieldOf(entry, 'country_code');
  return typeof code === 'string' && /^[A-Z]{2}$/.test(code) ? code : null;
}

function kindsOf(entry: Entry): NetworkKind[] {
  const kinds = new Set(flags.filter(([flag]) => entry[flag] === true).map(([, kind]) => kind));
  return kinds.size === 0 && fieldOf(entry, 'is_anonymous') === true ? ['anonymous'] : [...kinds];
}

/** What the entries of several files say together. Of two countries the first file's counts. */
function networkOf(entries: readonly Entry[]): Network | null {
  const first = (read: (entry: Entry) => string | null) =>
    entries.map(read).find((value) => value !== null) ?? null;
  const found: Network = {
    country: first(countryOf),
    kinds: [...new Set(entries.flatMap(kindsOf))],
    holder: first((entry) => textOf(fieldOf(entry, 'autonomous_system_organization'))),
    connection: first((entry) => textOf(fieldOf(entry, 'connection_type'))),
  };
  const isKnown = found.kinds.length > 0 || [found.country, found.holder, found.connection].some(Boolean);
  return isKnown ? found : null;
}

type NetworkReader = Reader<Record<string, never>>;

function entryOf(reader: NetworkReader, address: string): Entry[] {
  // A file of IPv4 alone would give the answer of another address.
  if (isIPv6(address) && reader.metadata.ipVersion === 4) return [];
  const entry: unknown = reader.get(address);
  return typeof entry === 'object' && entry !== null ? [entry as Entry] : [];
}

async function openFile(path: string): Promise<NetworkReader> {
  // The library is loaded only where there is a file, because it costs a start 6 MB.
  const { NetworkFileFault, readerOf } = await import('./network-file.ts');
  try {
    const found = await stat(path);
    if (!found.isFile()) throw new NetworkFileFault('is no file');
    if (found.size > FILE_BYTES_MAX) throw new NetworkFileFault('has more than 512 MB');
    return readerOf(await readFile(path));
  } catch (error) {
    if (error instanceof NetworkFileFault) throw new ConfigFault([`GEOIP_DB: ${path} ${error.message}`]);
    const { code = 'no reason' } = error as NodeJS.ErrnoException;
    throw new ConfigFault([`GEOIP_DB: ${path} can’t be read (${code})`]);
  }
}

/** Opens the files of GEOIP_DB. @throws ConfigFault with one line, for the first file that can't be used */
export async function openNetworks(paths: readonly string[]): Promise<Networks> {
  if (paths.length === 0) return noNetworks;
  const readers: NetworkReader[] = [];
  for (const path of paths) readers.push(await openFile(path));
  return {
    find: (address) => {
      if (publicAddressOf(address) === null) return null;
      const plain = ipaddr.process(address).toString();
      return networkOf(readers.flatMap((reader) => entryOf(reader, plain)));
    },
  };
}
