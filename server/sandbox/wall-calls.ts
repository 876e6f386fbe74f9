import { randomInt } from 'node:crypto';
import { type Database, type Reader, sql } from '#platform/database.ts';
import type { Offer, WallCall } from '../earning/providers/wall.ts';
import type { SimulatedWall } from './wall-registry.ts';
import { callSite, type SiteAnswer } from './wall-wire.ts';

/** Sends a simulated company's postbacks: makes or finds the transaction, calls the site and stores the answer. */

/** The settings that the company shares with the site. */
export type ProviderAccount = { secret: string; postbackPath: string };

export type WallSite = {
  database: Database;
  publicUrl: string;
  /** The site's local address. Called for each postback. */
  address: () => { host: string; port: number };
  /** Reads the provider's current settings, which an operator may change. */
  readAccount: (providerId: string) => Promise<ProviderAccount>;
};

export type WallRequest = {
  action: WallCall['action'];
  memberRef: string;
  offer: Offer;
  /** A reward different from the offer's. */
  points: bigint | null;
  /** A transaction to repeat or reverse. Null for a new one or, for a reversal, the last credited one. */
  transactionId: string | null;
  memberAddress: string;
  /** One of the wall's forms. A reversal prefers the form of its credit. */
  form: string | null;
};

export type WallResult = { transactionId: string; points: string; postback: string; answer: SiteAnswer };

export type KeptCall = {
  action: WallCall['action'];
  offerTitle: string;
  points: bigint;
  transactionId: string;
  answerStatus: number;
  answerBody: string;
};

const TRANSACTIONS_PER_MS = 10_000;
let lastDrawn = randomInt(TRANSACTIONS_PER_MS);

/** Makes a new transaction id. It counts within a millisecond: a number drawn twice would credit one offer less. */
export function freshTransaction(wall: SimulatedWall): string {
  lastDrawn = (lastDrawn + 1) % TRANSACTIONS_PER_MS;
  return wall.transactionIdOf(`${Date.now()}${String(lastDrawn).padStart(4, '0')}`);
}

/** Thrown if there is no credited transaction to reverse. */
export class NothingToReverse extends Error {
  constructor() {
    super('Nothing was credited here that could be taken back');
    this.name = 'NothingToReverse';
  }
}

type Credited = {
  transactionId: string;
  points: bigint;
  offerId: string;
  offerTitle: string;
  form: string;
};

/** Finds the newest credit of this offer that is not reversed, else the newest of the wall. */
const lastCredited = (reader: Reader, wall: SimulatedWall, given: WallRequest) =>
  reader.row<Credited>(sql`
    select transaction_id as "transactionId", points, offer_id as "offerId", offer_title as "offerTitle",
      form from sandbox.wall_calls
    where provider = ${wall.id} and member_ref = ${given.memberRef} and action <> 'reverse'
      and not is_reversed and answer_status = 200 and points > 0
      and (${given.transactionId}::text is null or transaction_id = ${given.transactionId})
    order by offer_id = ${given.offer.id} desc, id desc limit 1`);

async function callOf(site: WallSite, wall: SimulatedWall, given: WallRequest): Promise<WallCall> {
  const { action, memberRef, memberAddress, offer } = given;
  const form = given.form ?? wall.forms[0]?.id ?? '';
  if (action !== 'reverse') {
    const points = given.points ?? (action === 'complete' ? offer.points : offer.screenOutPoints);
    const transactionId = given.transactionId ?? freshTransaction(wall);
    return { action, memberRef, memberAddress, offer, points, transactionId, form };
  }
  const credited = await lastCredited(site.database, wall, given);
  const transactionId = credited?.transactionId ?? given.transactionId;
  // A given transaction is reversed even if this wall did not credit it, so that a reversal can precede its credit.
  if (transactionId === null) throw new NothingToReverse();
  return {
    action,
    memberRef,
    memberAddress,
    offer: credited === undefined ? offer : { id: credited.offerId, title: credited.offerTitle },
    points: given.points ?? credited?.points ?? offer.points,
    transactionId,
    form: credited?.form || form,
  };
}

/** Sends one postback and stores the answer. @throws NothingToReverse */
export async function act(site: WallSite, wall: SimulatedWall, given: WallRequest): Promise<WallResult> {
  const call = await callOf(site, wall, given);
  const { secret, postbackPath } = await site.readAccount(wall.id);
  const sent = wall.postback(`${site.publicUrl}${postbackPath}`, call, secret);
  const postback = sent.query === '' ? postbackPath : `${postbackPath}?${sent.query}`;
  const answer = await callSite({ ...site.address(), publicUrl: site.publicUrl }, postback, sent);
  await keep(site.database, wall.id, call, answer);
  return { transactionId: call.transactionId, points: String(call.points), postback, answer };
}

const keep = (database: Database, providerId: string, call: WallCall, answer: SiteAnswer) =>
  database.transaction(async (tx) => {
    await tx.rows(sql`
      insert into sandbox.wall_calls (provider, member_ref, action, offer_id, offer_title, points, transaction_id,
        form, answer_status, answer_body)
      values (${providerId}, ${call.memberRef}, ${call.action}, ${call.offer.id}, ${call.offer.title}, ${call.points},
        ${call.transactionId}, ${call.form ?? ''}, ${answer.status}, ${answer.body})`);
    if (call.action === 'reverse' && answer.status === 200)
      await tx.rows(sql`
        update sandbox.wall_calls set is_reversed = true
        where provider = ${providerId} and transaction_id = ${call.transactionId}`);
  });

/** Reads the member's last eight calls of one wall, newest first. */
export const readCalls = (reader: Reader, providerId: string, memberRef: string) =>
  reader.rows<KeptCall>(sql`
    select action, offer_title as "offerTitle", points, transaction_id as "transactionId",
      answer_status as "answerStatus", answer_body as "answerBody" from sandbox.wall_calls
    where provider = ${providerId} and member_ref = ${memberRef} order by id desc limit 8`);
