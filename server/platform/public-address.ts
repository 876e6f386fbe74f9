import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The address if it is public, else null: loopback and private addresses do not identify a caller. */
export const publicAddressOf = (address: string): string | null =>
  isIP(address) !== 0 && ipaddr.process(address).range() === 'unicast' ? address : null;
