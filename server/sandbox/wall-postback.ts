import { createHash, createHmac, randomUUID } from 'node:crypto';
import type { Offer, WallId } from './wall-offers.ts';

/**
 * The companies' side of a postback: parameters and signatures as each company writes them, made here from their
 * documentation and on purpose not with the code that verifies them, so that a mistake on either side shows.
 */
export type WallCall = {
  action: 'complete' | 'screen-out' | 'reverse';
  memberRef: string;
  transactionId: string;
  points: bigint;
  offer: Pick<Offer, 'id' | 'title'>;
  /** The member's own address, which some companies pass on. */
  memberAddress: string;
  /** One of the wall's forms; the first where none is named. */
  form?: string;
};

export type SentPostback = {
  method: 'GET' | 'POST';
  query: string;
  headers: Readonly<Record<string, string>>;
  body: string;
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

/** Reversal as well as credit have the same transaction; the hash signs the whole address before it. */
function theoremreachQuery(address: string, call: WallCall, secret: string): string {
  const query = queryOf([
    ['user_id', call.memberRef],
    ['reward', String(call.points)],
    ['currency', dollarsOf(call.points)],
    ['tx_id', call.transactionId],
    ...(call.action === 'reverse' ? ([['reversal', 'true']] as const) : []),
    ...(call.action === 'screen-out' ? ([['screenout', '1']] as const) : []),
    ['offer_id', call.offer.id],
    ['offer_name', call.offer.title],
    ['ip', call.memberAddress],
  ]);
  const digest = createHmac('sha1', secret).update(`${address}?${query}`, 'utf8').digest('base64');
  const urlSafe = digest.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  return `${query}&hash=${urlSafe}`;
}

/** The id that a rejection of Wannads has: its own, and the same each time. */
const rejectionOf = (transactionId: string): string => `R-${transactionId.replace(/^W-/, '')}`;

/** A rejection of the old generation is positive, and has the uuid of its credit. */
function oldWannadsQuery(call: WallCall, secret: string): string {
  const isReversal = call.action === 'reverse';
  const transactionId = isReversal ? rejectionOf(call.transactionId) : call.transactionId;
  const reward = `${call.points}.00`;
  return queryOf([
    ['subId', call.memberRef],
    ['transId', transactionId],
    ['reward', reward],
    ['payout', dollarsOf(call.points)],
    ['status', isReversal ? '2' : '1'],
    ['userIp', call.memberAddress],
    ['campaign_id', call.offer.id],
    ['campaign_name', call.offer.title],
    ['country', 'KR'],
    ['uuid', md5(call.transactionId)],
    ['signature', md5(`${call.memberRef}${transactionId}${reward}${secret}`)],
  ]);
}

/** A rejection of the new generation is negative, and what it takes back is told by its offer alone. */
function newWannadsQuery(call: WallCall, secret: string): string {
  const isReversal = call.action === 'reverse';
  const transactionId = isReversal ? rejectionOf(call.transactionId) : call.transactionId;
  const sign = isReversal ? '-' : '';
  const reward = `${sign}${call.points}`;
  return queryOf([
    ['user_id', call.memberRef],
    ['transaction_id', transactionId],
    ['reward', reward],
    ['payout', `${sign}${dollarsOf(call.points)}`],
    ['status', isReversal ? 'rejected' : 'credited'],
    ['offer_id', call.offer.id],
    ['goal_id', ''],
    ['offer_name', call.offer.title],
    ['signature', md5(`${call.memberRef}${transactionId}${reward}${secret}`)],
  ]);
}

/** What AdGem says; it documents no reversal, so one is a negative amount of the same goal here. */
function adgemValues(call: WallCall) {
  const sign = call.action === 'reverse' ? '-' : '';
  return {
    amount: `${sign}${call.points}`,
    campaign_name: call.offer.title,
    goal_id: `${call.offer.id}-1`,
    payout: `${sign}${dollarsOf(call.points)}`,
    player_id: call.memberRef,
    transaction_id: call.transactionId,
  };
}

function adgemQuery(address: string, call: WallCall, secret: string): string {
  const values = Object.entries({ ...adgemValues(call), request_id: randomUUID() });
  const query = values.map(([name, value]) => `${name}=${percentEncoded(value)}`).join('&');
  const verifier = createHmac('sha256', secret).update(`${address}?${query}`, 'utf8').digest('hex');
  return `${query}&verifier=${verifier}`;
}

/** The amounts are numbers in AdGem's JSON, so they are written into it as they are. */
function adgemBody(call: WallCall): string {
  const { amount, payout, campaign_name: offer_name, ...texts } = adgemValues(call);
  const data = JSON.stringify({ ...texts, offer_id: call.offer.id, offer_name, country: 'KR' });
  const numbers = `"amount":${amount},"payout":${payout}`;
  const timestamp = Math.floor(Date.now() / 1000);
  return `{"request_id":"${randomUUID()}","timestamp":${timestamp},"data":{${numbers},${data.slice(1)}}`;
}

/** As PHP's rawurlencode writes text. */
const percentEncoded = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** As PHP's urlencode writes text. */
const formEncoded = (text: string): string =>
  percentEncoded(text).replaceAll('%20', '+').replaceAll('~', '%7E');

/** The hash in the header is over all parameters in the order of their names, static ones included. */
function ayetPostback(call: WallCall, secret: string): SentPostback {
  const isReversal = call.action === 'reverse';
  const sign = isReversal ? '-' : '';
  const parameters: Parameters = [
    ['currency_amount', `${sign}${call.points}`],
    ['external_identifier', call.memberRef],
    ['is_chargeback', isReversal ? '1' : '0'],
    ['chargeback_reason', isReversal ? 'Fraudulent activity' : ''],
    ['offer_name', call.offer.title],
    ['payout_usd', `${sign}${dollarsOf(call.points)}`],
    ['transaction_id', isReversal ? `r-${call.transactionId}` : call.transactionId],
  ];
  const text = [...parameters]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${formEncoded(name)}=${formEncoded(value)}`)
    .join('&');
  const hash = createHmac('sha256', secret).update(text, 'utf8').digest('hex');
  return { ...byQuery(queryOf(parameters)), headers: { 'x-ayetstudios-security-hash': hash } };
}

const byQuery = (query: string): SentPostback => ({ method: 'GET', query, headers: {}, body: '' });

function byBody(body: string, secret: string): SentPostback {
  const signature = createHmac('sha256', secret).update(body, 'utf8').digest('hex');
  return { method: 'POST', query: '', headers: { 'content-type': 'application/json', signature }, body };
}

/** A call to `address`, which is the site's public one: several companies sign it whole. */
export function signedPostback(wall: WallId, address: string, call: WallCall, secret: string): SentPostback {
  switch (wall) {
    case 'cpx':
      return byQuery(cpxQuery(call, secret));
    case 'bitlabs':
      return byQuery(bitlabsQuery(address, call, secret));
    case 'theoremreach':
      return byQuery(theoremreachQuery(address, call, secret));
    case 'kiwiwall':
      return byQuery(kiwiwallQuery(call, secret));
    case 'wannads':
      return byQuery(call.form === 'old' ? oldWannadsQuery(call, secret) : newWannadsQuery(call, secret));
    case 'adgem':
      return call.form === 'post'
        ? byBody(adgemBody(call), secret)
        : byQuery(adgemQuery(address, call, secret));
    case 'ayetstudios':
      return ayetPostback(call, secret);
  }
}

/** The query of a call by a company that says everything in it. */
export const signedQuery = (wall: WallId, address: string, call: WallCall, secret: string): string =>
  signedPostback(wall, address, call, secret).query;
