import type { ReplayOutcome, replayPostback as replayEndpoint } from '#contract/earning-postbacks.ts';
import { replayVerdicts } from '#contract/earning-postbacks.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { recordActs } from '#platform/audit-trail.ts';
import type { Database, Tx } from '#platform/database.ts';
import { InvalidRequest } from '#platform/http/problem.ts';
import type { Platform } from '#platform/platform.ts';
import { refuse } from '#platform/refusal.ts';
import { bookWithLink } from './linked-booking.ts';
import { findNamedMember } from './named-members.ts';
import * as queries from './postback-queries.ts';
import { type InspectedProvider, matchOf, readInspected, readNamesOf, stepsOf } from './postback-view.ts';
import { announceBooked, type Judged, judgePostback } from './postbacks.ts';
import type { RawPostback, Verdict } from './providers/provider.ts';
import { pathOf, readRawText } from './providers/raw-query.ts';
import type { Booked } from './queries.ts';

/**
 * A replay books a stored call by the settings of today, because an operator decided so: after a wrong secret was
 * mended, for example. A dry run books it too, and takes everything back. The replay itself is refused if its outcome
 * is not the one that the operator saw. A call is replayed at most once, and a provider's transaction is booked at
 * most once, however often it is replayed or sent again.
 *
 * The signature may be that of the former secret, also after its time. The ceilings of providers do not apply, because
 * an operator looks at each call.
 */
type Replay = {
  id: bigint;
  isDryRun: boolean;
  body: BodyOf<typeof replayEndpoint>;
  operatorId: number;
};
type Outcome = Omit<ReplayOutcome, 'memberName'>;

export async function replayPostback(platform: Platform, replay: Replay): Promise<ReplayOutcome> {
  const row = await queries.findPostback(platform.database, replay.id);
  if (row === undefined) throw refuse('not-found');
  const { raw, isCut } = readRawText(row.raw);
  const provider = (await readInspected(platform)).get(row.provider);
  const judged = await judgePostback(
    platform,
    provider,
    { providerId: row.provider, raw, address: row.address, ...pathOf(raw.url) },
    () => (isCut ? cutCall : verifyWithAny(provider as InspectedProvider, raw)),
  );
  const matches = provider === undefined ? 'none' : matchOf(provider, raw);
  const outcome = replay.isDryRun
    ? await rehearse(platform.database, (tx) => bookJudged(tx, judged, matches, replay.id))
    : await bookReplay(platform, replay, (tx) => bookJudged(tx, judged, matches, replay.id));
  const nameOf = await readNamesOf(platform.database, [outcome.memberId]);
  return { ...outcome, memberName: nameOf(outcome.memberId) };
}

const cutCall: Verdict = {
  ok: false,
  code: 'invalid-postback',
  why: 'Only the beginning of the call is stored',
};

/** Verifies by the current secret, then by the one before it. */
function verifyWithAny({ adapter, secret, endedSecret }: InspectedProvider, raw: RawPostback): Verdict {
  const verdict = adapter.verify(raw, { secret });
  if (verdict.ok || verdict.code !== 'invalid-signature' || endedSecret === '') return verdict;
  const former = adapter.verify(raw, { secret: endedSecret });
  return former.ok || former.code !== 'invalid-signature' ? former : verdict;
}

type BookedOutcome = { outcome: Outcome; booked: Booked | null };

/** Books a call that was judged, and says what that did. */
async function bookJudged(
  tx: Tx,
  judged: Judged,
  matches: ReplayOutcome['matches'],
  id: bigint,
): Promise<BookedOutcome> {
  const outcomeOf = (verdict: string, more: Partial<Outcome>): Outcome => ({
    verdict,
    steps: stepsOf(verdict, judged.ok ? judged.message.kind : null),
    detail: '',
    matches,
    memberId: null,
    amount: null,
    isBookable: replayVerdicts.some((known) => known === verdict),
    ...more,
  });
  if (!judged.ok) return { outcome: outcomeOf(judged.code, { detail: judged.why }), booked: null };
  const { call, link } = judged;
  const memberId = call.memberRef || null;
  if (call.kind === 'nothing')
    return { outcome: outcomeOf(call.verdict ?? 'unknown-status', { memberId }), booked: null };
  const booked = await bookWithLink(tx, { ...call, detail: `A replay of call ${id}` }, link);
  const outcome = outcomeOf(booked.verdict, { memberId });
  const amount = outcome.isBookable ? await amountOf(tx, booked.verdict, call) : null;
  return { outcome: { ...outcome, amount }, booked };
}

async function amountOf(
  tx: Tx,
  verdict: string,
  { kind, provider, transactionId, points }: Extract<Judged, { ok: true }>['call'],
): Promise<string | null> {
  if (kind === 'credit') return points;
  if (verdict !== 'reversed') return points === null ? null : `-${points}`;
  const taken = await queries.findTaken(tx, provider, transactionId ?? '');
  return taken === undefined ? null : String(-taken.points);
}

/** Ends a rehearsal, so that nothing of it stays. */
class RehearsalEnd extends Error {
  readonly outcome: Outcome;
  constructor(outcome: Outcome) {
    super('The rehearsal is over');
    this.outcome = outcome;
  }
}

async function rehearse(database: Database, work: (tx: Tx) => Promise<BookedOutcome>): Promise<Outcome> {
  try {
    return await database.transaction(async (tx): Promise<never> => {
      throw new RehearsalEnd((await work(tx)).outcome);
    });
  } catch (error) {
    if (error instanceof RehearsalEnd) return error.outcome;
    throw error;
  }
}

/**
 * @throws Refusal `already-decided` if the call was replayed; `outcome-changed` if its outcome is not the one that was
 *   seen; `own-request` if it is about the operator
 */
async function bookReplay(
  platform: Platform,
  { id, body, operatorId }: Replay,
  work: (tx: Tx) => Promise<BookedOutcome>,
): Promise<Outcome> {
  if (body === undefined) throw new InvalidRequest([{ path: 'reason', message: 'Please provide a reason' }]);
  const { reason, ...seen } = body;
  const { outcome, booked } = await platform.database.transaction(async (tx) => {
    const claimed = await queries.insertReplay(tx, id, operatorId, seen.verdict);
    if (claimed === undefined) throw refuse('already-decided', 'This call was replayed already.');
    const done = await work(tx);
    const { verdict, memberId, amount, matches } = done.outcome;
    // Each refusal undoes the booking.
    if (memberId === String(operatorId)) throw refuse('own-request');
    if (
      verdict !== seen.verdict ||
      (memberId?.trim() ?? null) !== (seen.memberId ?? null) ||
      amount !== (seen.amount ?? null)
    )
      throw refuse('outcome-changed');
    const after = { verdict, memberId, amount, secret: matches };
    const named = await findNamedMember(tx, memberId === null ? [] : [memberId]);
    const target = { kind: 'postback', id, memberId: named } as const;
    await recordActs(tx, [{ actor: operatorId, act: 'postback.replay', target, reason, after }]);
    return done;
  });
  if (booked !== null) await announceBooked(platform, booked);
  return outcome;
}
