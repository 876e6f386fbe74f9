import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { emailAddress } from '#contract/email.ts';

/** The text that stands for all addresses of one source, and for a domain. Two that mean the same have one text. */

/** An IPv4 address, or the /64 of an IPv6 address, which one line usually has whole; undefined for what is neither. */
export function sourceOf(address: string): string | undefined {
  if (isIP(address) === 0) return undefined;
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  return `${new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0]).toString()}/64`;
}

/** A domain in ASCII and lower case, without an at sign before it; undefined for what no address can have. */
export function domainOf(given: string): string | undefined {
  const { data } = emailAddress.safeParse(`name@${given.replace(/^@/, '').toLowerCase()}`);
  return data?.slice('name@'.length).toLowerCase();
}
