import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import { get as getHttp } from 'node:http';
import { get as getHttps } from 'node:https';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { sentence } from '#contract/operator-sentences.ts';

/**
 * Asks whether an address of the web answers, without following it further. An operator can type the address, so with
 * `publicOnly` no address of the server's own network is called: each is checked when the name is resolved, and the
 * checked one is called.
 */
const LIMIT_MS = 5_000;

class NotPublic extends Error {
  override readonly name = 'NotPublic';
}

const isPublic = (address: string): boolean => ipaddr.process(address).range() === 'unicast';

type Found = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

/** Resolves a name. Fails if one of its addresses is not public. */
function lookUpPublic(host: string, options: LookupOptions, found: Found): void {
  lookup(host, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? [];
    if (error !== null || first === undefined) found(error ?? new Error('no address'), []);
    else if (!addresses.every(({ address }) => isPublic(address))) found(new NotPublic(), []);
    else if (options.all === true) found(null, addresses);
    else found(null, first.address, first.family);
  });
}

/**
 * What is wrong with an address, in one sentence; undefined if it answers. An answer below 500 counts, whatever it
 * says.
 */
export function findWebFault(
  address: string,
  { publicOnly }: { publicOnly: boolean },
): Promise<string | undefined> {
  const url = new URL(address);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  // A numeric address is not looked up.
  if (publicOnly && isIP(host) !== 0 && !isPublic(host))
    return Promise.resolve(faultOf(host, new NotPublic()));
  return new Promise((resolve) => {
    const call = (url.protocol === 'https:' ? getHttps : getHttp)(url, {
      agent: false,
      signal: AbortSignal.timeout(LIMIT_MS),
      ...(publicOnly ? { lookup: lookUpPublic as never } : {}),
    });
    call.on('error', (error: NodeJS.ErrnoException) => resolve(faultOf(host, error)));
    call.on('response', (response) => {
      const { statusCode = 0 } = response;
      response.destroy();
      resolve(statusCode < 500 ? undefined : sentence('host-error', { host, status: statusCode }));
    });
  });
}

function faultOf(host: string, error: NodeJS.ErrnoException): string {
  const code = error.code ?? error.name;
  if (error instanceof NotPublic) return sentence('host-private', { host });
  if (error.name === 'AbortError' || error.name === 'TimeoutError')
    return sentence('host-late', { host, secondCount: LIMIT_MS / 1_000 });
  if (error.code === 'ENOTFOUND' || error.code === 'EAI_AGAIN') return sentence('host-unknown', { host });
  if (/CERT|SSL|TLS/.test(code)) return sentence('host-without-certificate', { host, code });
  return sentence('host-unreachable', { host, code });
}
