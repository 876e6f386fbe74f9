import type { HoldReason } from '#contract/earning.ts';
import type { ReplayOutcome, replayPostback as replayEndpoint } from '#contract/earning-postbacks.ts';
import { replayVerdicts } from '#contract/earning-postbacks.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { recordActs } from '#platform/audit-trail.ts';
import type { Database, Tx } from '#platform/database.ts';
import { InvalidRequest } from '#platform/http/problem.ts';
import type { Platform } from '#platform/platform.ts';
import { refuse } from '#platform/refusal.ts';
import { requireNotOwn } from '../members/members.ts';
import { type Ceilings, creditWithin } from './ceilings.ts';
import { readSecondPersonPoints } from './credit-obstacles.ts';
import { bookWithLink } from './linked-booking.ts';
import { findNamedMember } from './named-members.ts';
import * as queries from './postback-queries.ts';
import { type InspectedProvider, matchOf, readInspected, readNamesOf, stepsOf } from './postback-view.ts';
import { announceBooked, type Judged, judgePostback } from './postbacks.ts';
import type { RawPostback, Verdict } from './providers/provider.ts';
import { pathOf, readRawText } from './providers/raw-query.ts';
import type { Booked, Call } from './queries.ts';

/**
 * A replay books a stored call by the settings of today, because an operator decided so: after a wrong secret was
 * mended, for example. A dry run books it too, and takes everything back. The replay itself is refused if its outcome
 * is not the one that the operator saw. A call is replayed at most once, and a provider's transaction is booked at
 * most once, however often it is replayed or sent again.
 *
 * The signature may be that of the former secret, also after its time. The operator who replays a credit may know the
 * secret that signed it, so a replay has the bounds of a call and of an approval: a credit beyond a ceiling of the
 * provider, or one that this operator can't credit alone, is held, and approved as every held earning is.
 */
type Replay = {
  id: bigint;
  isDryRun: boolean;
  body: BodyOf<typeof replayEndpoint>;
  operatorId: number;
};
type Outcome = Omit<ReplayOutcome, 'memberName'>;

export async function replayPostback(
  platform: Platform & { ceilings: Ceilings },
  replay: Replay,
): Promise<ReplayOutcome> {
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
  const run = (holdReason: string | null): Promise<Outcome> => {
    const work = (tx: Tx) => bookJudged(tx, platform, { judged, matches, replay, holdReason });
    return replay.isDryRun ? rehearse(platform.database, work) : bookReplay(platform, replay, work);
  };
  const outcome = await runWithin(platform.ceilings, judged, replay, run);
  const nameOf = await readNamesOf(platform.database, [outcome.memberId]);
  return { ...outcome, memberName: nameOf(outcome.memberId) };
}

/** A credit beyond a ceiling is held. A dry run asks the ceilings, and counts and tells nothing. */
function runWithin(
  ceilings: Ceilings,
  judged: Judged,
  { isDryRun }: Replay,
  run: (holdReason: string | null) => Promise<Outcome>,
): Promise<Outcome> {
  if (!judged.ok || judged.call.kind !== 'credit') return run(null);
  const { provider, points } = judged.call;
  if (isDryRun) return run(ceilings.isBeyond(provider, BigInt(points ?? 0)) ? 'ceiling' : null);
  return creditWithin(ceilings, judged.call, {
    book: run,
    isCredited: ({ verdict }) => verdict === 'credited',
  });
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

type JudgedReplay = {
  judged: Judged;
  matches: ReplayOutcome['matches'];
  replay: Replay;
  /** Why a credit is held besides the reasons of the call itself. */
  holdReason: string | null;
};

/** Books a call that was judged, and says what that did. */
async function bookJudged(
  tx: Tx,
  { config }: Pick<Platform, 'config'>,
  { judged, matches, replay, holdReason: given }: JudgedReplay,
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
  const holdReason = call.holdReason ?? given ?? (await findHoldReason(tx, config, call, replay.operatorId));
  const booked = await bookWithLink(
    tx,
    { ...call, holdReason, detail: `A replay of call ${replay.id}` },
    link,
  );
  const outcome = outcomeOf(booked.verdict, { memberId });
  const amount = outcome.isBookable ? await amountOf(tx, booked.verdict, call) : null;
  return { outcome: { ...outcome, amount }, booked };
}

/** Why a credit is held because an operator replays it; null if the operator may credit it alone. */
async function findHoldReason(
  tx: Tx,
  { mode }: Platform['config'],
  call: Call,
  operatorId: number,
): Promise<HoldReason | null> {
  if (call.kind !== 'credit') return null;
  const secondPersonPoints = await readSecondPersonPoints(tx, mode);
  const obstacle = await queries.findReplayObstacle(tx, call, operatorId, secondPersonPoints);
  return obstacle === null ? null : 'replay';
}

async function amountOf(
  tx: Tx,
  verdict: string,
  { kind, provider, transactionId, points }: Call,
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
 *   seen; `own-request` if it is about an account of the operator
 */
async function bookReplay(
  platform: Platform,
  { id, body, operatorId }: Replay,
  work: (tx: Tx) => Promise<BookedOutcome>,
): Promise<Outcome> {
  const { reason, ...seen } = body ?? {};
  if (reason === undefined)
    throw new InvalidRequest([{ path: 'reason', message: 'Please provide a reason' }]);
  if (seen.verdict === undefined)
    throw new InvalidRequest([{ path: 'verdict', message: 'Please provide what the dry run said' }]);
  const { outcome, booked } = await platform.database.transaction(async (tx) => {
    const done = await work(tx);
    const { verdict, memberId, amount, matches } = done.outcome;
    const creditedPoints = verdict === 'credited' ? amount : null;
    // Each refusal undoes the booking.
    const noted = await queries.insertReplay(tx, { id, operatorId, verdict, creditedPoints });
    if (noted === undefined) throw refuse('already-decided', 'This call was replayed already.');
    const named = await findNamedMember(tx, memberId === null ? [] : [memberId]);
    await requireNotOwn(tx, operatorId, [named]);
    if (
      verdict !== seen.verdict ||
      (memberId?.trim() ?? null) !== (seen.memberId ?? null) ||
      amount !== (seen.amount ?? null)
    )
      throw refuse('outcome-changed');
    const after = { verdict, memberId, amount, secret: matches };
    const target = { kind: 'postback', id, memberId: named } as const;
    await recordActs(tx, [{ actor: operatorId, act: 'postback.replay', target, reason, after }]);
    return done;
  });
  if (booked !== null) await announceBooked(platform, booked);
  return outcome;
}
