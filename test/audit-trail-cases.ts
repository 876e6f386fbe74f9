import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { TargetKind } from '#contract/acts.ts';
import { type Reader, sql } from '#platform/database.ts';
import { changeSettings } from '#platform/settings-change.ts';
import type { Site } from './site.ts';

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

type Given = {
  // biome-ignore lint/suspicious/noExplicitAny: the bodies of several endpoints
  call: (method: string, path: string, body?: unknown) => Promise<{ body: any }>;
  /** Makes a member. */
  memberId: () => Promise<string>;
};

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

/** Acts on canned replies. */
export function replyCases({
  call,
  owner,
}: Pick<Given, 'call'> & Pick<Site, 'owner'>): Record<string, () => Promise<Case>> {
  const path = '/api/admin/support/replies';
  const reply = (title: string) => ({ title, textEn: 'Hello {name}', textKo: '{name} 님' });
  const keptId = async (title: string): Promise<string> => (await call('POST', path, reply(title))).body.id;
  return {
    'POST /api/admin/support/replies': async () => ({
      path,
      body: reply('Greeting'),
      targets: [],
      foundTargets: async () => {
        const found = await owner.rows<{ id: bigint }>(sql`select id from support.replies`);
        return found.map(({ id }) => String(id));
      },
      again: 409,
    }),
    'PUT /api/admin/support/replies/:id': async () => {
      const id = await keptId('Changed');
      return { path: `${path}/${id}`, body: reply('Changed now'), targets: [id], again: 200 };
    },
    'DELETE /api/admin/support/replies/:id': async () => {
      const id = await keptId('Old');
      return { path: `${path}/${id}`, targets: [id], again: 404 };
    },
  };
}

/** Acts about the chat, announcements and claims. */
export function chatCases({
  call,
  memberId,
  owner,
}: Given & Pick<Site, 'owner'>): Record<string, () => Promise<Case>> {
  const newest = (kind: TargetKind) => async () => {
    const found = await owner.rows<{ target: string }>(
      sql`select target from platform.acts where target_kind = ${kind} order by id desc limit 1`,
    );
    return found.map(({ target }) => target);
  };
  const wordId = async (word: string): Promise<string> =>
    (await call('POST', '/api/admin/chat-banned-words', { word })).body.id;
  const message = async (isReported: boolean): Promise<string> => {
    const writer = Number(await memberId());
    const { id } = await owner.one<{ id: bigint }>(sql`
      with place as (update chat.channels set seq = seq + 1 where id = 1 returning seq)
      insert into chat.messages (channel_id, seq, member_id, is_from_operator, body, created_at)
      select 1, seq, ${writer}, false, 'Hello', platform.business_now() from place returning id`);
    if (isReported)
      await owner.rows(sql`
        insert into chat.cases (message_id, reporters, reason, reported_at)
        values (${id}, 1, 'scam', platform.business_now())`);
    return String(id);
  };
  return {
    'POST /api/admin/chat-banned-words': async () => ({
      path: '/api/admin/chat-banned-words',
      body: { word: 'audited' },
      targets: [],
      foundTargets: newest('chat-word'),
      again: 409,
    }),
    'DELETE /api/admin/chat-banned-words/:id': async () => {
      const id = await wordId('unwanted');
      return { path: `/api/admin/chat-banned-words/${id}`, targets: [id], again: 404 };
    },
    'POST /api/admin/chat-bans': async () => ({
      path: '/api/admin/chat-bans',
      body: { userId: await memberId(), reason: 'Begging' },
      targets: [],
      foundTargets: newest('chat-ban'),
      again: 409,
    }),
    'DELETE /api/admin/chat-bans/:id': async () => {
      const body = { userId: await memberId(), reason: 'Begging' };
      const { id } = (await call('POST', '/api/admin/chat-bans', body)).body;
      return { path: `/api/admin/chat-bans/${id}`, targets: [id], again: 409 };
    },
    'POST /api/admin/fraud/block-ip': async () => ({
      path: '/api/admin/fraud/block-ip',
      body: { ipAddress: '203.0.113.71', reason: 'A farm' },
      targets: [],
      foundTargets: newest('block'),
      again: 409,
    }),
    'POST /api/admin/fraud/block-domain': async () => ({
      path: '/api/admin/fraud/block-domain',
      body: { domain: 'tempmail.example', reason: 'Thrown away' },
      targets: [],
      foundTargets: newest('block'),
      again: 409,
    }),
    'DELETE /api/admin/fraud/blocks/:id': async () => {
      const body = { ipAddress: '203.0.113.72', reason: 'A farm' };
      const { id } = (await call('POST', '/api/admin/fraud/block-ip', body)).body;
      return { path: `/api/admin/fraud/blocks/${id}`, targets: [id], again: 409 };
    },
    'POST /api/admin/announcements': async () => ({
      path: '/api/admin/announcements',
      body: { title: 'A short pause', content: 'On Monday at three.' },
      targets: [],
      foundTargets: newest('announcement'),
    }),
    'DELETE /api/admin/announcements/:id': async () => {
      const body = { title: 'A short pause', content: 'On Monday at three.' };
      const { id } = (await call('POST', '/api/admin/announcements', body)).body;
      return { path: `/api/admin/announcements/${id}`, targets: [id], again: 404 };
    },
    'PATCH /api/admin/claims/:id': async () => {
      const id = Number(await memberId());
      const filed = await owner.one<{ id: bigint }>(sql`
        insert into claims.claims (member_id, opening_id, provider, opened_at, text, filed_at, due_at)
        select ${id}, 1, 'cpx', c.now, 'Nothing came', c.now, c.now from (select platform.business_now() as now) c
        returning id`);
      const body = { state: 'refused', reason: 'It was not finished' };
      return { path: `/api/admin/claims/${filed.id}`, body, targets: [String(filed.id)], again: 409 };
    },
    'DELETE /api/chat/messages/:id': async () => {
      const id = await message(false);
      return { path: `/api/chat/messages/${id}`, targets: [id], again: 404 };
    },
    'POST /api/admin/chat-reports/:id/decide': async () => {
      const id = await message(true);
      const body = { decision: 'ban', reason: 'Begging', duration: '1day' };
      return { path: `/api/admin/chat-reports/${id}/decide`, body, targets: [id], again: 409 };
    },
  };
}

/** Acts on broadcasts. None is sent here: nobody runs the sweep. */
export function broadcastCases({
  call,
  owner,
}: Pick<Given, 'call'> & Pick<Site, 'owner'>): Record<string, () => Promise<Case>> {
  const path = '/api/admin/broadcast-email';
  const body = { subject: 'A short pause', content: 'On Monday at three.' };
  const begun = async (): Promise<string> => (await call('POST', path, body)).body.id;
  const newest = async () => {
    const found = await owner.rows<{ id: bigint }>(
      sql`select id from broadcasts.broadcasts order by id desc limit 1`,
    );
    return found.map(({ id }) => String(id));
  };
  const changed = (verb: 'pause' | 'resume' | 'stop') => async (): Promise<Case> => {
    const id = await begun();
    if (verb === 'resume') await call('POST', `${path}/${id}/pause`);
    return { path: `${path}/${id}/${verb}`, targets: [id], again: 409 };
  };
  return {
    'POST /api/admin/broadcast-email': async () => ({ path, body, targets: [], foundTargets: newest }),
    'POST /api/admin/broadcast-email/test': async () => ({ path: `${path}/test`, body, targets: ['test'] }),
    'POST /api/admin/broadcast-email/:id/pause': changed('pause'),
    'POST /api/admin/broadcast-email/:id/resume': changed('resume'),
    'POST /api/admin/broadcast-email/:id/stop': changed('stop'),
    'POST /api/admin/broadcast-email/:id/retry': async () => {
      const id = await begun();
      await owner.rows(sql`
        update broadcasts.mails set state = 'failed', reason = 'refused' where broadcast_id = ${id}::bigint`);
      await owner.rows(sql`
        update broadcasts.broadcasts set refused_count = recipient_count, status = 'done',
          finished_at = platform.business_now() where id = ${id}::bigint`);
      return { path: `${path}/${id}/retry`, body: { which: 'failed' }, targets: [id], again: 409 };
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
];

/** Acts without an endpoint: of the command line, of a start, the first of two approvals, other acts of an endpoint. */
export const actsElsewhere = [
  'audit-trail.accept',
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
