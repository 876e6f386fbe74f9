import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { json, sql } from '#platform/database.ts';
import { type Answer, type Person, testSite } from '../../test/site.ts';
import { auditBooks } from '../ledger/audit.ts';

/** Postbacks over HTTP, signed like the providers' calls. */
const site = await testSite({ after });
const operator = await site.member({ role: 'admin' });
const secrets = {
  cpx: 'cpx secret of a test',
  bitlabs: 'bitlabs secret of a test',
  kiwiwall: 'kiwi secret of a test',
};
const configure = (id: keyof typeof secrets, change: Record<string, unknown> = {}) =>
  site.call('PUT', `/api/admin/providers/${id}`, {
    as: operator,
    body: { isEnabled: true, apiKey: 'app', secret: secrets[id], ...change },
  });
for (const id of ['cpx', 'bitlabs', 'kiwiwall'] as const) assert.equal((await configure(id)).status, 200);

const md5 = (text: string) => createHash('md5').update(text).digest('hex');
let count = 0;
const newTransaction = () => {
  count += 1;
  return `7000000${String(count).padStart(6, '0')}`;
};

type Cpx = {
  trans_id?: string;
  user_id: number | string;
  amount_local?: string;
  status?: string;
  type?: string;
};
function cpxQuery({
  trans_id = newTransaction(),
  user_id,
  amount_local = '180',
  status = '1',
  type = 'complete',
}: Cpx) {
  const hash = md5(`${trans_id}-${secrets.cpx}`);
  return (
    `status=${status}&trans_id=${trans_id}&user_id=${user_id}&amount_local=${amount_local}` +
    `&amount_usd=0.2&offer_id=1&type=${type}&ip_click=203.0.113.9&secure_hash=${hash}`
  );
}
const send = (provider: string, query: string, kind = 'postback', method = 'GET'): Promise<Answer> =>
  site.call(method, `/api/webhooks/${kind}/${provider}?${query}`, {
    headers: { origin: 'https://elsewhere.example' },
  });
const cpx = (call: Cpx) => send('cpx', cpxQuery(call));
function bitlabs(values: Record<string, string>, provider = 'bitlabs') {
  const query = new URLSearchParams(values).toString();
  const url = `${site.origin}/api/webhooks/postback/${provider}?${query}`;
  return send('bitlabs', `${query}&hash=${createHmac('sha1', secrets.bitlabs).update(url).digest('hex')}`);
}
const kiwiwall = (values: { trans_id: string; sub_id: number; amount: string; status: string }) =>
  send(
    'kiwiwall',
    `${new URLSearchParams({ ...values, sub_id: String(values.sub_id) })}` +
      `&signature=${md5(`${values.sub_id}:${values.amount}:${secrets.kiwiwall}`)}`,
  );
const stats = async (as: Person) => (await site.call('GET', '/api/user/stats', { as })).body;

/** All balances and earnings as one text. It is equal before and after a call that must have no effect. */
const moneyState = async () =>
  (
    await site.owner.one<{ state: string }>(sql`
      select md5(concat(
        (select string_agg(w::text, ';' order by member_id) from ledger.wallets w),
        (select string_agg(m::text, ';' order by member_id, seq) from ledger.movements m),
        (select string_agg(e::text, ';' order by provider, transaction_id) from earning.earnings e),
        (select string_agg(q::text, ';' order by id) from earning.quarantine q),
        (select string_agg(r::text, ';' order by provider, transaction_id) from earning.reversals r))) as state`)
  ).state;
const lastVerdict = async () =>
  (
    await site.owner.one<{ verdict: string }>(
      sql`select verdict from earning.postbacks order by id desc limit 1`,
    )
  ).verdict;

describe('a signed credit', () => {
  it('appears in balance and history, and gets the provider’s own answer', async () => {
    const member = await site.member();
    const answers = [
      await cpx({ user_id: member.id, amount_local: '180.9900' }),
      await bitlabs({
        uid: String(member.id),
        tx: 's1',
        val: '250.5',
        usd: '0.5',
        type: 'COMPLETE',
        offer: 'A & B',
      }),
      await kiwiwall({ trans_id: 'k1', sub_id: member.id, amount: '500.00', status: '1' }),
    ];
    assert.deepEqual(
      answers.map(({ status, body }) => [status, body]),
      [
        [200, '1'],
        [200, 'OK'],
        [200, '1'],
      ],
    );
    assert.match(answers[0]?.headers.get('content-type') ?? '', /^text\/plain/);
    const { balance, totalEarned, todayEarned, completedTasks } = await stats(member);
    assert.deepEqual([balance, totalEarned, todayEarned, completedTasks], ['930', '930', '930', 3]);
    const { body } = await site.call('GET', '/api/user/history', { as: member });
    assert.deepEqual(
      body.data.map(({ amount, kind, provider, description }: Record<string, string>) => [
        amount,
        kind,
        provider,
        description,
      ]),
      [
        ['500', 'earning', 'kiwiwall', 'KiwiWall: Completed'],
        ['250', 'earning', 'bitlabs', 'BitLabs: A & B'],
        ['180', 'earning', 'cpx', 'CPX Research: Completed'],
      ],
    );
  });
  it('is booked once for 50 concurrent calls, which all get the success answer', async () => {
    const member = await site.member();
    const query = cpxQuery({ user_id: member.id });
    const all = await Promise.all(Array.from({ length: 50 }, () => send('cpx', query)));
    assert.ok(all.every(({ status, body }) => status === 200 && body === '1'));
    assert.equal((await stats(member)).balance, '180');
  });
  it('changes nothing if it is replayed for another member or amount', async () => {
    const member = await site.member();
    const thief = await site.member();
    const trans_id = newTransaction();
    await cpx({ trans_id, user_id: member.id });
    const before = await moneyState();
    assert.equal((await cpx({ trans_id, user_id: thief.id, amount_local: '9000' })).body, '1');
    assert.equal(await lastVerdict(), 'duplicate-different');
    assert.equal(await moneyState(), before);
  });
  it('is quarantined for an unknown member, and gets the success answer', async () => {
    assert.equal((await cpx({ user_id: 999_999_999 })).body, '1');
    assert.equal(await lastVerdict(), 'quarantined');
  });
  it('is booked by POST without a body, too', async () => {
    const member = await site.member();
    assert.equal((await send('cpx', cpxQuery({ user_id: member.id }), 'postback', 'POST')).body, '1');
    assert.equal((await stats(member)).balance, '180');
  });
});

describe('a reversal', () => {
  it('takes the points once, and may leave a debt that new earnings reduce first', async () => {
    const member = await site.member();
    const trans_id = newTransaction();
    await cpx({ trans_id, user_id: member.id, amount_local: '1000' });
    await site.owner.rows(sql`
      select ledger.post_one(${member.id}, ${`spent:${member.id}`}, 'withdrawal', -900, 'withdrawals', 'x', null,
        null, false)`);
    const reversal = { trans_id, user_id: member.id, amount_local: '1000', status: '2' };
    assert.equal((await cpx(reversal)).body, '1');
    assert.equal((await cpx(reversal)).body, '1');
    const owing = await stats(member);
    assert.deepEqual(
      [owing.balance, owing.debt, owing.totalEarned, owing.completedTasks],
      ['0', '900', '1000', 1],
    );
    await cpx({ user_id: member.id, amount_local: '950' });
    const paid = await stats(member);
    assert.deepEqual([paid.balance, paid.debt], ['50', '0']);
    const { body } = await site.call('GET', '/api/user/history', { as: member });
    assert.equal(body.data[1].kind, 'reversal');
    assert.equal(body.data[1].amount, '-1000');
  });
  it('cancels a credit that arrives after it', async () => {
    const member = await site.member();
    const trans_id = newTransaction();
    assert.equal((await cpx({ trans_id, user_id: member.id, status: '2' })).body, '1');
    assert.equal((await stats(member)).balance, '0');
    assert.equal((await cpx({ trans_id, user_id: member.id })).body, '1');
    assert.equal((await stats(member)).balance, '0');
  });
  it('is the only kind of call that the URL for chargebacks accepts', async () => {
    const member = await site.member();
    const trans_id = newTransaction();
    const credit = cpxQuery({ trans_id, user_id: member.id });
    const wrong = await send('cpx', credit, 'chargeback');
    assert.deepEqual([wrong.status, wrong.problem.code], [422, 'not-a-chargeback']);
    await send('cpx', credit);
    const reversal = cpxQuery({ trans_id, user_id: member.id, status: '2' });
    assert.equal((await send('cpx', reversal, 'chargeback')).body, '1');
    assert.equal((await stats(member)).balance, '0');
    assert.equal((await send('kiwiwall', 'x=1', 'chargeback')).problem.code, 'unknown-provider');
  });
});

describe('a call without effect', () => {
  const cases: [string, (id: number) => Promise<Answer>, number, string][] = [
    [
      'a wrong signature',
      (id) =>
        send(
          'cpx',
          cpxQuery({ user_id: id }).replace(/.$/, (c) => (c === '0' ? '1' : '0')),
        ),
      403,
      'invalid-signature',
    ],
    [
      'no signature',
      (id) => send('cpx', cpxQuery({ user_id: id }).replace(/&secure_hash.*/, '')),
      403,
      'invalid-signature',
    ],
    [
      'a repeated parameter',
      (id) => send('cpx', `${cpxQuery({ user_id: id })}&user_id=${id}`),
      400,
      'invalid-postback',
    ],
    [
      'an amount that is not a number',
      (id) => cpx({ user_id: id, amount_local: '1e3' }),
      400,
      'invalid-postback',
    ],
    [
      'a missing amount',
      (id) => send('cpx', cpxQuery({ user_id: id }).replace(/&amount_local=180/, '')),
      400,
      'invalid-postback',
    ],
    [
      'an amount above the maximum',
      (id) => cpx({ user_id: id, amount_local: '9'.repeat(40) }),
      400,
      'invalid-postback',
    ],
    [
      'malformed encoding',
      (id) => send('cpx', cpxQuery({ user_id: id }).replace(/(amount_local=)[^&]*/, '$1%E0%A4%A')),
      400,
      'invalid-postback',
    ],
    [
      'a re-encoded signed value',
      (id) => send('cpx', cpxQuery({ user_id: id }).replace('trans_id=7', 'trans_id=%37')),
      403,
      'invalid-signature',
    ],
    ['an unknown provider', (id) => send('nobody', cpxQuery({ user_id: id })), 404, 'unknown-provider'],
    [
      'a path token that is not set',
      (id) => send('cpx/sometoken1234567890', cpxQuery({ user_id: id })),
      404,
      'unknown-provider',
    ],
  ];
  for (const [what, call, status, code] of cases)
    it(`is refused for ${what} with ${status} ${code}, and stored raw`, async () => {
      const member = await site.member();
      const before = await moneyState();
      const answer = await call(member.id);
      assert.deepEqual([answer.status, answer.problem.code], [status, code]);
      assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json/);
      assert.equal(await lastVerdict(), code);
      assert.equal(await moneyState(), before);
    });

  it('is acknowledged if it has no amount or an unknown status', async () => {
    const member = await site.member();
    const before = await moneyState();
    for (const call of [
      { amount_local: '0' },
      { amount_local: '0.9' },
      { status: '7' },
      { type: 'out', amount_local: '0' },
    ])
      assert.equal((await cpx({ user_id: member.id, ...call })).body, '1');
    assert.equal(await moneyState(), before);
  });
  it('is refused if its transaction is a member’s id, whose signature is in the member’s wall URL', async () => {
    const member = await site.member();
    const { body } = await site.call('GET', '/api/cpx/url', { as: member });
    const stolen = new URL(body.url).searchParams.get('secure_hash');
    const before = await moneyState();
    const query = cpxQuery({ trans_id: String(member.id), user_id: member.id });
    assert.ok(query.endsWith(`secure_hash=${stolen}`));
    assert.equal((await send('cpx', query)).problem.code, 'invalid-signature');
    assert.equal(await moneyState(), before);
  });
  it('is refused by HEAD, and from a disabled provider', async () => {
    const member = await site.member();
    const before = await moneyState();
    assert.equal((await send('cpx', cpxQuery({ user_id: member.id }), 'postback', 'HEAD')).status, 404);
    await configure('kiwiwall', { isEnabled: false });
    await expire();
    const off = await kiwiwall({ trans_id: 'k9', sub_id: member.id, amount: '5', status: '1' });
    assert.equal(off.problem.code, 'unknown-provider');
    await configure('kiwiwall');
    await expire();
    assert.equal(await moneyState(), before);
  });
});

/** Waits until the cache of providers' settings has expired. */
const expire = () => new Promise((resolve) => setTimeout(resolve, 1_050));

describe('a call from an unlisted address', () => {
  it('is recorded, held or refused by the policy', async () => {
    const member = await site.member();
    const sourceAddresses = ['203.0.113.0/24', '2001:db8::1'];
    for (const [sourcePolicy, status, verdict] of [
      ['record', 200, 'credited'],
      ['hold', 200, 'held'],
      ['refuse', 403, 'source-refused'],
    ] as const) {
      await configure('cpx', { settings: { sourceAddresses, sourcePolicy } });
      assert.equal((await cpx({ user_id: member.id })).status, status);
      assert.equal(await lastVerdict(), verdict);
    }
    await configure('cpx', { settings: { sourceAddresses: ['127.0.0.1'], sourcePolicy: 'refuse' } });
    assert.equal((await cpx({ user_id: member.id })).body, '1');
    await configure('cpx', { settings: { sourceAddresses: [], sourcePolicy: 'record' } });
    assert.equal((await stats(member)).balance, '360');
  });
  it('is refused without the secret path if the provider has one', async () => {
    const member = await site.member();
    const pathToken = 'a-path-nobody-guesses';
    const changed = await configure('cpx', { settings: { pathToken } });
    assert.ok(changed.body.postbackUrl.includes(`/api/webhooks/postback/cpx/${pathToken}?status=`));
    assert.equal((await cpx({ user_id: member.id })).problem.code, 'unknown-provider');
    assert.equal((await send(`cpx/${pathToken}`, cpxQuery({ user_id: member.id }))).body, '1');
    await configure('cpx', { settings: { pathToken: null } });
  });
});

describe('an operator', () => {
  it('§2-4 pending earning: approves or rejects a held earning once, also for concurrent calls', async () => {
    const member = await site.member();
    await cpx({ user_id: member.id, amount_local: '10000' });
    await cpx({ user_id: member.id, amount_local: '25000' });
    const list = await site.call('GET', '/api/admin/pending-earnings', { as: operator });
    const [second, first] = list.body.filter((row: { userId: string }) => row.userId === String(member.id));
    assert.deepEqual([first.amount, first.source, second.amount], ['10000', 'CPX Research', '25000']);
    const found = await site.call('GET', `/api/admin/pending-earnings?q=${member.id}&limit=1`, {
      as: operator,
    });
    assert.deepEqual([found.body.length, found.headers.get('x-total-count')], [1, '2']);
    const oldest = await site.call('GET', '/api/admin/pending-earnings?sort=createdAt', { as: operator });
    assert.ok(oldest.body[0].createdAt <= oldest.body.at(-1).createdAt);
    const unknown = await site.call('GET', '/api/admin/pending-earnings?sort=source', { as: operator });
    assert.equal(unknown.status, 400);
    const approve = () =>
      site.call('POST', `/api/admin/pending-earnings/${first.id}/approve`, { as: operator, body: {} });
    const raced = await Promise.all([approve(), approve(), approve()]);
    assert.deepEqual(raced.map(({ status }) => status).sort(), [200, 409, 409]);
    assert.equal((await stats(member)).balance, '10000');
    const blank = await site.call('POST', `/api/admin/pending-earnings/${second.id}/reject`, {
      as: operator,
      body: { reviewNote: ' ' },
    });
    assert.equal(blank.status, 400);
    const rejected = await site.call('POST', `/api/admin/pending-earnings/${second.id}/reject`, {
      as: operator,
      body: { reviewNote: 'Too fast' },
    });
    assert.deepEqual([rejected.status, rejected.body.status], [200, 'rejected']);
    assert.equal((await stats(member)).balance, '10000');
    const counts = await site.call('GET', '/api/admin/approval-stats', { as: operator });
    assert.ok(counts.body.approvedCount >= 1 && counts.body.rejectedCount >= 1);
    assert.equal(
      (await site.call('POST', '/api/admin/pending-earnings/999999/approve', { as: operator })).status,
      404,
    );
  });
  it('§2-3 provider: never sees a stored secret, and keeps it by sending the mask', async () => {
    const { body } = await site.call('GET', '/api/admin/providers', { as: operator });
    assert.ok(!json(body).includes(secrets.cpx));
    for (const { id, secret } of body as { id: string; secret: string }[])
      assert.equal(secret, id in secrets ? '***encrypted***' : '', id);
    await configure('cpx', { secret: '***encrypted***', name: 'CPX Research' });
    assert.equal((await cpx({ user_id: (await site.member()).id })).body, '1');
    const stored = await site.owner.rows<{ row: string }>(
      sql`select p::text as row from earning.providers p`,
    );
    assert.ok(stored.every(({ row }) => Object.values(secrets).every((secret) => !row.includes(secret))));
  });
});

it('leaves balanced books', async () => assert.deepEqual(await auditBooks(site.owner), []));
