import type { RegistrationReview, RegistrationReviewDetails } from '#contract/access-registration-reviews.ts';
import { fullNameOf } from '#contract/full-name.ts';
import { recordActs } from '#platform/audit-trail.ts';
import type { Reader, Tx } from '#platform/database.ts';
import type { SearchTerms } from '#platform/http/operator-list.ts';
import type { Platform } from '#platform/platform.ts';
import { refuse } from '#platform/refusal.ts';
import { canonicalEmail } from '../members/members.ts';
import { findMailableByEmail } from '../members/sign-in-queries.ts';
import { accessMail, readSender } from './mails.ts';
import { postMail } from './posted-mails.ts';
import * as queries from './registration-review-queries.ts';

/**
 * Registrations that need a review, which `registration.ts` stores. An operator approves or rejects each, once. The
 * person was promised an answer within 24 hours, and is mailed in the transaction of the decision. An approved address
 * can then register; nothing else of the first try is kept.
 */

type Status = RegistrationReview['status'];

export const storedStatuses = {
  open: 'open',
  approved: 'allowed',
  rejected: 'refused',
} as const satisfies Record<Status, queries.StoredStatus>;
const statuses = { open: 'open', allowed: 'approved', refused: 'rejected' } as const satisfies Record<
  queries.StoredStatus,
  Status
>;

/** A registration in the contract's shape. */
export const reviewOf = (row: queries.ReviewRow): RegistrationReview => ({
  id: String(row.id),
  email: row.email,
  flags: row.flags ?? [],
  ipAddress: row.address,
  status: statuses[row.status],
  createdAt: row.createdAt.toISOString(),
  dueAt: row.dueAt.toISOString(),
  secondsLeft: row.secondsLeft,
  decidedAt: row.decidedAt?.toISOString() ?? null,
  adminEmail: row.operatorEmail,
  decisionReason: row.decisionReason,
});

const accountOf = (row: queries.AccountRow) => ({
  id: String(row.id),
  name: fullNameOf(row),
  email: row.email,
  role: row.role,
  createdAt: row.createdAt.toISOString(),
});

/** What stands behind a registration, for the operator who asks. @throws Refusal `not-found` */
export async function readReviewDetails(
  { database: reader, networks }: Pick<Platform, 'database' | 'networks'>,
  id: bigint,
  operatorId: number,
): Promise<RegistrationReviewDetails> {
  const state = await queries.findState(reader, id);
  if (state === undefined) throw refuse('not-found');
  const [accounts, owner, isOwn] = await Promise.all([
    queries.readDeviceAccounts(reader, id),
    queries.findOwner(reader, state.email),
    queries.readIsOwn(reader, id, { operatorId, mailbox: canonicalEmail(state.email) }),
  ]);
  return {
    accounts: accounts.map(accountOf),
    owner: owner === undefined ? null : accountOf(owner),
    network: state.address === null ? null : networks.find(state.address),
    isOwn,
  };
}

/**
 * Approves or rejects a registration, with a mail to the person. With `overturns` it approves a rejected one, after the
 * person objected by mail; else only the first decision has an effect.
 * @throws Refusal `not-found`, `already-decided`; `own-request` for an operator who would approve a registration from a
 *   device or with a mailbox of their own
 */
export async function decideRegistration(
  { database, config }: Pick<Platform, 'database' | 'config'>,
  decision: Omit<queries.Decision, 'status'> & { status: 'approved' | 'rejected' },
): Promise<RegistrationReview> {
  const { id, status, operatorId, reason } = decision;
  return database.transaction(async (tx) => {
    const asked = await queries.findState(tx, id);
    if (asked === undefined) throw refuse('not-found');
    const mailbox = canonicalEmail(asked.email);
    const decided = await queries.decideReview(tx, { ...decision, status: storedStatuses[status], mailbox });
    if (decided === undefined) throw await refusalOf(tx, id, decision.overturns);
    await recordActs(tx, [
      {
        actor: operatorId,
        act: status === 'approved' ? 'registration.approve' : 'registration.reject',
        target: { kind: 'registration', id: String(id) },
        reason,
        before: { status: statuses[asked.status] },
        after: { status },
      },
    ]);
    // An address may have an account: the person has forgotten it, or got one since.
    const owner = await findMailableByEmail(tx, decided.email);
    const sender = await readSender(tx, config);
    const mail =
      owner === undefined ? accessMail(sender, decided, status) : accessMail(sender, owner, 'taken');
    await postMail(tx, mail);
    const row = await queries.findReview(tx, id);
    if (row === undefined) throw refuse('not-found');
    return reviewOf(row);
  });
}

async function refusalOf(tx: Tx, id: bigint, overturns: boolean): Promise<Error> {
  const state = await queries.findState(tx, id);
  if (state === undefined) return refuse('not-found');
  if (state.status === 'open' || (overturns && state.status === 'refused'))
    return refuse('own-request', 'The device or the mailbox is your own. Another operator must approve it.');
  return refuse('already-decided', `This registration was ${statuses[state.status]} already.`);
}

const COUNT_MAX = 1_000;

/** The registrations that nobody has decided, counted up to 1,000. */
export async function readRegistrationsWait(reader: Reader) {
  const { count, oldestAt } = await queries.readOpen(reader, COUNT_MAX);
  return { count: Number(count), points: null, oldestAt };
}

/** Finds the registration that waited or waits with this e-mail address. */
export async function searchRegistrations(
  reader: Reader,
  { lowerCase }: SearchTerms,
): Promise<{ id: string; email: string; status: Status }[]> {
  const found = await queries.findReviewByEmail(reader, lowerCase);
  return found === undefined
    ? []
    : [{ id: String(found.id), email: found.email, status: statuses[found.status] }];
}
