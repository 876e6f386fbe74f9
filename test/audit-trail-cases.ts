import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { type Reader, sql } from '#platform/database.ts';
import { changeSettings } from '#platform/settings-change.ts';
import { comparisonOf, namesShown } from '../web/admin/audit-trail/comparison.ts';
import type { Site } from './site.ts';
import { wordAt, wordsOf } from './words.ts';

/** Acts of operators against members, about registrations and calls, and on the site's bounds. */

export type Case = {
  path: string;
  body?: unknown;
  targets: string[];
  /** Reads the targets in their place, where they are known only afterwards. */
  foundTargets?: () => Promise<string[]>;
  /** The status of the same call repeated, which must leave no row; absent if it is an act of its own. */
  again?: number;
  /** The other status of a call at the same time, where only one is made at once. */
  atOnce?: number;
};

export type Given = {
  // biome-ignore lint/suspicious/noExplicitAny: the bodies of several endpoints
  call: (method: string, path: string, body?: unknown) => Promise<{ body: any }>;
  /** Makes a member. */
  memberId: () => Promise<string>;
};

const english = wordsOf('en');
type Fields = Record<string, unknown> | null;

/** The changed fields of an act that an operator would read by the program's own name. */
export const fieldsWithoutWords = ({ before, after }: { before: Fields; after: Fields }): string[] =>
  comparisonOf(before, after)
    .flatMap(({ path }) => namesShown(path))
    .filter((name) => wordAt(english, `auditTrail.fields.${name}`) === undefined);

export const bookCases = ({ owner }: Pick<Site, 'owner'>): Record<string, () => Promise<Case>> => ({
  'POST /api/admin/books/audit': async () => {
    await owner.rows(sql`delete from ledger.audits`);
    // Of two that ask at once, either is first.
    const foundTargets = async () => {
      const found = await owner.rows<{ id: bigint }>(sql`select id from ledger.audits`);
      return found.map(({ id }) => String(id));
    };
    return { path: '/api/admin/books/audit', targets: [], foundTargets, again: 202 };
  },
});

export const bulkCases = ({
  call,
  pendingWithdrawal,
}: Pick<Given, 'call'> & { pendingWithdrawal: () => Promise<string> }): Record<
  string,
  () => Promise<Case>
> => ({
  'POST /api/admin/withdrawals/:id/undo': async () => {
    const id = await pendingWithdrawal();
    await call('POST', `/api/admin/withdrawals/${id}/approve`);
    return { path: `/api/admin/withdrawals/${id}/undo`, targets: [id], again: 409 };
  },
  'POST /api/admin/withdrawals/bulk-acts/:id/stop': async () => {
    const order = { ids: [await pendingWithdrawal()], answersAtOnce: true };
    const { actId } = (await call('POST', '/api/admin/withdrawals/approve-all', order)).body;
    return { path: `/api/admin/withdrawals/bulk-acts/${actId}/stop`, targets: [actId], again: 200 };
  },
});

export const detectionCases = (
  { owner }: Pick<Site, 'owner'>,
  memberId: Given['memberId'],
): Record<string, () => Promise<Case>> => ({
  'PATCH /api/admin/multi-account-detections/:id': async () => {
    const { id } = await owner.one<{ id: bigint }>(sql`
      insert into risk.detections (method, shared_identifier, size, primary_member_id, related_member_ids, kinds,
        risk_score, confidence, created_at)
      values ('shared-device', gen_random_uuid()::text, 9, ${Number(await memberId())}, '{}', '{device}', 45, 'low',
        platform.business_now())
      returning id`);
    const path = `/api/admin/multi-account-detections/${id}`;
    return { path, body: { status: 'confirmed' }, targets: [String(id)], again: 409 };
  },
  'PATCH /api/admin/fraud/rules/:rule': async () => {
    const path = '/api/admin/fraud/rules/same-mailbox';
    return { path, body: { mode: 'shadow' }, targets: ['site'], again: 200 };
  },
});

export const sanctionCases = ({ call, memberId }: Given): Record<string, () => Promise<Case>> => ({
  'POST /api/admin/chargebacks/manual': async () => {
    const userId = await memberId();
    const body = { userId, amount: 5, reason: 'Paid twice' };
    return { path: '/api/admin/chargebacks/manual', body, targets: [userId] };
  },
  'POST /api/admin/test-chargeback': async () => {
    const userId = await memberId();
    const body = { userId, provider: 'cpx', amount: 5, reason: 'A test' };
    return { path: '/api/admin/test-chargeback', body, targets: [userId] };
  },
  'POST /api/admin/suspend-user': async () => {
    const userId = await memberId();
    return {
      path: '/api/admin/suspend-user',
      body: { userId, reason: 'A test' },
      targets: [userId],
      again: 409,
    };
  },
  'POST /api/admin/users/:id/message': async () => {
    const userId = await memberId();
    const path = `/api/admin/users/${userId}/message`;
    return { path, body: { text: 'Was the address yours?' }, targets: [userId] };
  },
  'POST /api/admin/users/:id/end-sessions': async () => {
    const userId = await memberId();
    const path = `/api/admin/users/${userId}/end-sessions`;
    return { path, body: { reason: 'A lost phone' }, targets: [userId] };
  },
  'POST /api/admin/lift-suspension/:id': async () => {
    const userId = await memberId();
    const { id } = (await call('POST', '/api/admin/suspend-user', { userId, reason: 'A test' })).body;
    const path = `/api/admin/lift-suspension/${id}`;
    return { path, body: { liftReason: 'Cleared up' }, targets: [userId], again: 409 };
  },
});

/** A looser bound of the site that another operator asked for. */
async function proposalCase(site: Site, verb: string): Promise<Case> {
  const set = (caps: object) => changeSettings(site.database, 'sandbox', { caps });
  await set({ memberDay: '5000', secondPersonFrom: '10' });
  const as = await site.member({ role: 'admin' });
  const asked = await site.call('PUT', '/api/admin/site', { as, body: { caps: { memberDay: null } } });
  await set({ secondPersonFrom: null });
  const [{ id }] = asked.body.proposals;
  return { path: `/api/admin/site/proposals/${id}/${verb}`, targets: ['site'], again: 404 };
}

/** A pause of all payouts, and its end. The other cases find payouts that are not paused. */
async function pauseCase(site: Site, verb: 'pause' | 'resume'): Promise<Case> {
  await changeSettings(site.database, 'sandbox', { payoutsPaused: verb === 'resume' });
  const body = { reason: 'The wallet is moved' };
  return { path: `/api/admin/payouts/${verb}`, body, targets: ['site'], again: 200 };
}

export const settingsCases = (site: Site): Record<string, () => Promise<Case>> => ({
  'POST /api/admin/site/proposals/:id/confirm': () => proposalCase(site, 'confirm'),
  'POST /api/admin/site/proposals/:id/withdraw': () => proposalCase(site, 'withdraw'),
  'POST /api/admin/payouts/pause': () => pauseCase(site, 'pause'),
  'POST /api/admin/payouts/resume': () => pauseCase(site, 'resume'),
});

/** A registration that waits. */
async function registrationCase(owner: Reader, verb: string, body: unknown): Promise<Case> {
  const { id } = await owner.one<{ id: bigint }>(sql`
    insert into access.registration_reviews (email, facts, created_at)
    values (gen_random_uuid() || '@example.com', '{}', platform.business_now()) returning id`);
  const path = `/api/admin/registration-reviews/${id}/${verb}`;
  return { path, body, targets: [String(id)], again: 409 };
}

export const registrationCases = ({ owner }: Site): Record<string, () => Promise<Case>> => ({
  'POST /api/admin/registration-reviews/:id/approve': () =>
    registrationCase(owner, 'approve', { reason: 'A family' }),
  'POST /api/admin/registration-reviews/:id/reject': () =>
    registrationCase(owner, 'reject', { reason: 'The same person' }),
});

type GivenCalls = Given & { receive: (path: string) => Promise<{ status: number }> };

/** Acts about calls of a provider: one that is refused for its signature, and one for nobody. */
export function callCases({ call, memberId, receive }: GivenCalls): Record<string, () => Promise<Case>> {
  let count = 0;
  const give = (secret: string) =>
    call('PUT', '/api/admin/providers/cpx', { isEnabled: true, apiKey: 'app', secret });
  /** Sends a credit that is signed with this secret. Returns its transaction. */
  const send = async (userId: string, secret: string, status: number): Promise<string> => {
    count += 1;
    const transaction = `audited-${count}`;
    const hash = createHash('md5').update(`${transaction}-${secret}`).digest('hex');
    const query = `status=1&trans_id=${transaction}&user_id=${userId}&amount_local=180&secure_hash=${hash}`;
    assert.equal((await receive(`/api/webhooks/postback/cpx?${query}`)).status, status);
    return transaction;
  };
  return {
    'POST /api/admin/postbacks/:id/replay': async () => {
      const userId = await memberId();
      await give('cpx secret');
      const transaction = await send(userId, 'a later secret', 403);
      await give('a later secret');
      const [{ id }] = (await call('GET', `/api/admin/postbacks?q=${transaction}`)).body;
      const body = { reason: 'A wrong secret', verdict: 'credited', memberId: userId, amount: '180' };
      return { path: `/api/admin/postbacks/${id}/replay`, body, targets: [id], again: 409 };
    },
    'POST /api/admin/quarantine/:id/resolve': async () => {
      await give('cpx secret');
      const transaction = await send('nobody', 'cpx secret', 200);
      const [{ id }] = (await call('GET', `/api/admin/quarantine?q=${transaction}`)).body;
      const body = { action: 'dismiss', note: 'Nobody has this id' };
      return { path: `/api/admin/quarantine/${id}/resolve`, body, targets: [id], again: 409 };
    },
  };
}

const entry = {
  kind: 'task',
  category: 'game',
  provider: 'kiwiwall',
  title: 'Harbour',
  description: 'Reach level 12',
  reward: '2400',
  minutes: 180,
};

/** Acts on entries of the catalogue. The second of two entries is above the first. */
export function catalogueCases({ call }: Pick<Given, 'call'>): Record<string, () => Promise<Case>> {
  const path = '/api/admin/catalogue';
  const addedId = async (): Promise<string> => (await call('POST', path, entry)).body.id;
  return {
    'POST /api/admin/catalogue': async () => {
      const next = Number(await addedId()) + 1;
      return { path, body: entry, targets: [String(next)] };
    },
    'PUT /api/admin/catalogue/:id': async () => {
      const id = await addedId();
      return { path: `${path}/${id}`, body: { ...entry, title: 'Orchard' }, targets: [id], again: 200 };
    },
    'POST /api/admin/catalogue/:id/move': async () => {
      const id = await addedId();
      await addedId();
      return { path: `${path}/${id}/move`, body: { to: 'first' }, targets: [id], again: 200 };
    },
    'POST /api/admin/catalogue/import': async () => {
      const csv = `${Object.keys(entry)}\n${Object.values(entry)}`;
      return { path: `${path}/import`, body: { csv }, targets: ['catalogue'] };
    },
    'DELETE /api/admin/catalogue/:id': async () => {
      const id = await addedId();
      return { path: `${path}/${id}`, targets: [id], again: 404 };
    },
  };
}

/** Acts on views, which an operator saves alone. */
export function viewCases({ call }: Pick<Given, 'call'>): Record<string, () => Promise<Case>> {
  const path = '/api/admin/views';
  const screen = '/management-panel-x7k9w/withdrawals';
  const savedId = async (name: string): Promise<string> =>
    (await call('POST', path, { screen, name, query: 'status=approved' })).body.id;
  return {
    'POST /api/admin/views': async () => {
      const id = await savedId('Large');
      return { path, body: { screen, name: 'Large', query: 'minPoints=5000' }, targets: [id], again: 201 };
    },
    'DELETE /api/admin/views/:id': async () => {
      const id = await savedId('Old');
      return { path: `${path}/${id}`, targets: [id], again: 404 };
    },
  };
}

/** The kinds of what belongs to members. A call in quarantine names nobody here. */
export const kindsOfMembers = [
  'member',
  'mail',
  'withdrawal',
  'earning',
  'postback',
  'ticket',
  'claim',
  'chat-ban',
  'chat-message',
  'decision',
];

/** Acts without an endpoint: of the command line, of a start, the first of two approvals, other acts of an endpoint. */
export const actsElsewhere = [
  'audit-trail.accept',
  'broadcast.forget-bounces',
  'claim.ask',
  'claim.book',
  'claim.book-first',
  'earning.approve-first',
  'member.free-phone',
  'operator.appoint',
  'operator.remove',
  'payout.reconcile',
  'points.grant',
  'quarantine.approve-first',
  'secret.rotate',
  'site.change-timezone',
  'site.propose',
  'site.repair',
  'withdrawal.approve-first',
];

const paypal = { clientId: 'a', clientSecret: 'b', businessEmail: 'pay@example.com', environment: 'sandbox' };
const nowpayments = { apiKey: 'a', ipnSecret: 'b', environment: 'sandbox' };

export const walletCases: Record<string, () => Promise<Case>> = {
  'POST /api/admin/wallet/paypal': async () => ({
    path: '/api/admin/wallet/paypal',
    body: paypal,
    targets: ['paypal'],
    again: 200,
  }),
  'POST /api/admin/wallet/nowpayments': async () => ({
    path: '/api/admin/wallet/nowpayments',
    body: nowpayments,
    targets: ['nowpayments'],
    again: 200,
  }),
  'POST /api/admin/wallet/paypal/test': async () => ({
    path: '/api/admin/wallet/paypal/test',
    targets: ['paypal'],
  }),
  'POST /api/admin/wallet/nowpayments/test': async () => ({
    path: '/api/admin/wallet/nowpayments/test',
    targets: ['nowpayments'],
  }),
};
