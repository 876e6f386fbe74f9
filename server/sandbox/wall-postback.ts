import { createHash, createHmac } from 'node:crypto';
import { request } from 'node:http';
import type { Offer, WallId } from './wall-offers.ts';

/**
 * The companies' side of a postback: parameters and signatures as CPX Research, BitLabs and KiwiWall write
 * them, made here from their documentation and on purpose not with the code that verifies them, so that a
 * mistake on either side shows.
 */
export type WallCall = {
  action: 'complete' | 'screen-out' | 'reverse';
  memberRef: string;
  transactionId: string;
  points: bigint;
  offer: Pick<Offer, 'id' | 'title'>;
  /** The member's own address, which some companies pass on. */
  memberAddress: string;
};

type Parameters = readonly (readonly [name: string, value: string])[];

const md5 = (text: string): string => createHash('md5').update(text, 'utf8').digest('hex');

const queryOf = (parameters: Parameters): string =>
  parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');

/** What the site is paid for so many points, in dollars: twice their worth of 1,000 to the dollar. */
function dollarsOf(points: bigint): string {
  return `${(points * 2n) / 1000n}.${String((points * 2n) % 1000n).padStart(3, '0')}`;
}

/** The hash that CPX Research puts into a wall's address for its member. */
export const cpxWallHash = (memberRef: string, secret: string): string => md5(`${memberRef}-${secret}`);

function cpxQuery(call: WallCall, secret: string): string {
  const type = { complete: 'complete', 'screen-out': 'out', reverse: 'canceled' }[call.action];
  return queryOf([
    ['status', call.action === 'reverse' ? '2' : '1'],
    ['trans_id', call.transactionId],
    ['user_id', call.memberRef],
    ['amount_local', `${call.points}.0000`],
    ['amount_usd', dollarsOf(call.points)],
    ['offer_id', call.offer.id],
    ['type', type],
    ['ip_click', call.memberAddress],
    ['secure_hash', md5(`${call.transactionId}-${secret}`)],
  ]);
}

/** BitLabs without states: a reconciliation is a transaction of its own that names the first, with negative values. */
function bitlabsQuery(address: string, call: WallCall, secret: string): string {
  const isReversal = call.action === 'reverse';
  const type = { complete: 'COMPLETE', 'screen-out': 'SCREENOUT', reverse: 'RECONCILIATION' }[call.action];
  const sign = isReversal ? '-' : '';
  const query = queryOf([
    ['uid', call.memberRef],
    ['tx', isReversal ? `sr${call.transactionId.replace(/^s/, '')}` : call.transactionId],
    ['val', `${sign}${call.points}`],
    ['usd', `${sign}${dollarsOf(call.points)}`],
    ['type', type],
    ['ref', isReversal ? call.transactionId : ''],
    ['state', 'NONE'],
    ['offer', call.offer.title],
  ]);
  const digest = createHmac('sha1', secret).update(`${address}?${query}`, 'utf8').digest('hex');
  return `${query}&hash=${digest}`;
}

function kiwiwallQuery(call: WallCall, secret: string): string {
  const isReversal = call.action === 'reverse';
  const amount = `${isReversal ? '-' : ''}${call.points}.00`;
  return queryOf([
    ['status', isReversal ? '2' : '1'],
    ['trans_id', call.transactionId],
    ['sub_id', call.memberRef],
    ['gross', dollarsOf(call.points)],
    ['amount', amount],
    ['offer_id', call.offer.id],
    ['offer_name', call.offer.title],
    ['ip_address', call.memberAddress],
    ['signature', md5(`${call.memberRef}:${amount}:${secret}`)],
  ]);
}

/** The query of a call to `address`, which is the site's public one: BitLabs signs it whole. */
export function signedQuery(wall: WallId, address: string, call: WallCall, secret: string): string {
  if (wall === 'bitlabs') return bitlabsQuery(address, call, secret);
  return wall === 'cpx' ? cpxQuery(call, secret) : kiwiwallQuery(call, secret);
}

export type SiteAnswer = { status: number; body: string };

const ANSWER_BYTES_MAX = 4_096;
const ANSWER_TIMEOUT_MS = 15_000;

/**
 * Calls the site over HTTP, byte for byte as signed; `fetch` would write the address anew.
 * @param port where the site listens on this machine; `publicUrl` is what it is called by
 */
export function callSite(
  site: { host: string; port: number; publicUrl: string },
  pathAndQuery: string,
): Promise<SiteAnswer> {
  return new Promise((resolve, reject) => {
    const call = request(
      {
        host: site.host,
        port: site.port,
        path: pathAndQuery,
        method: 'GET',
        headers: { host: new URL(site.publicUrl).host, 'user-agent': 'sandbox-wall' },
        signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
      },
      (answer) => {
        let body = '';
        answer.setEncoding('utf8');
        answer.on('data', (piece: string) => {
          if (body.length < ANSWER_BYTES_MAX) body += piece;
        });
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body }));
        answer.on('error', reject);
      },
    );
    call.on('error', reject);
    call.end();
  });
}
