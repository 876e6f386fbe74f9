import { isIP } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * Brings X-Forwarded-For to the form that the framework reads, before anything asks for the caller's address. Some
 * proxies append the client's port, put IPv6 in brackets, or write a word instead of an address. Behind a word there is
 * no address to believe, so the call counts as one of the proxy that wrote it.
 */
const NAME = 'x-forwarded-for';
/** Nobody trusts it, as it is no address, so the framework's walk through the list ends at it. */
const UNREADABLE = 'unknown';

declare module 'fastify' {
  interface FastifyRequest {
    /** What a trusted proxy forwarded instead of an address. */
    unreadForwarded: string | undefined;
  }
}

const withPort = /^(?:\[(?<v6>[0-9a-f:.]+)\]|(?<v4>[0-9.]+))(?::\d{1,5})?$/i;

/** The address of an entry, without port and brackets, an IPv4 one as such; undefined if it has none. */
export function addressIn(entry: string): string | undefined {
  const { v6, v4 } = withPort.exec(entry)?.groups ?? {};
  const address = (v6 ?? v4 ?? entry).replace(/^::ffff:(?=[0-9]+\.)/i, '');
  return isIP(address) === 0 ? undefined : address;
}

/** Reads the header of every call. For a site that trusts proxies. */
export function readForwarded(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request.raw;
    const header = headers[NAME];
    if (typeof header !== 'string') return done();
    const entries = header.split(',').map((entry) => entry.trim());
    const addresses = entries.filter((entry) => entry !== '').map(addressIn);
    const firstRead = addresses.lastIndexOf(undefined) + 1;
    const read = addresses.slice(firstRead).join(', ');
    headers[NAME] = firstRead === 0 ? read : `${UNREADABLE}, ${read}`;
    if (request.ip !== UNREADABLE) return done();
    request.unreadForwarded = header;
    if (read === '') delete headers[NAME];
    else headers[NAME] = read;
    done();
  });
}
