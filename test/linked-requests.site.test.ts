import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { offerMethod } from './offered-methods.ts';
import { testSite } from './site.ts';

/** Ten accounts of one person ask to one address, and what an operator sees of that before anything is paid. */
const site = await testSite({ after });
const as = await site.member({ role: 'admin' });
await offerMethod(site.platform, 'litecoin');

const LINKED = 10;
const shared = 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9';
const own = 'LaMT348PWRnrqeeWArpwQPbuanpXDZGEUz';

type Row = { id: string; flags: string[] };

async function ask(address: string): Promise<string> {
  const member = await site.member({ balancePoints: 2_000n, isPhoneVerified: true });
  const body = { amountPoints: '1000', method: 'litecoin', recipientInfo: { address } };
  const { status, body: made } = await site.call('POST', '/api/withdrawal', { as: member, body });
  assert.equal(status, 201);
  return made.id;
}

async function pending(query = ''): Promise<Row[]> {
  const path = `/api/admin/withdrawals-data?status=pending&sort=createdAt&limit=100${query}`;
  return (await site.call('GET', path, { as })).body.withdrawals;
}

const linked: string[] = [];
for (let count = 0; count < LINKED; count += 1) linked.push(await ask(shared));
const ordinary = await ask(own);

it('flags ten accounts that ask to one address in their rows, and finds them by the flag', async () => {
  const rows = await pending();
  for (const { id, flags } of rows)
    assert.deepEqual(flags, id === ordinary ? ['first-payout'] : ['shared-address', 'first-payout'], id);
  for (const flag of ['shared-address', 'look'])
    assert.deepEqual(
      (await pending(`&flag=${flag}`)).map(({ id }) => id),
      linked,
    );
  assert.deepEqual(
    (await pending('&flag=clean')).map(({ id }) => id),
    [ordinary],
  );
});

it('says in the sheet how many others use the address, and where they are listed', async () => {
  const [id = ''] = linked;
  const { status, body } = await site.call('GET', `/api/admin/withdrawals/${id}`, { as });
  assert.equal(status, 200);
  const [first, second] = body.checks;
  assert.deepEqual(
    { code: first.code, verdict: first.verdict, text: first.text, figure: first.figure },
    {
      code: 'sharing',
      verdict: 'look',
      text: 'Other members use this address.',
      figure: { kind: 'count', value: String(LINKED - 1) },
    },
  );
  assert.equal(second.flag, 'first-payout');
  const { searchParams } = new URL(first.link, site.origin);
  assert.equal(searchParams.get('status'), 'all', 'the screen’s word for no filter');
  const path = `/api/admin/withdrawals-data?q=${searchParams.get('q')}&limit=100`;
  const { body: found } = await site.call('GET', path, { as });
  assert.deepEqual(found.withdrawals.map((row: Row) => row.id).sort(), linked.toSorted());
});

it('has the fields of one withdrawal that a client decides by', async () => {
  const { body } = await site.call('GET', `/api/admin/withdrawals/${ordinary}`, { as });
  const { id, name, email, balance, debt, phoneVerified, emailVerified, paidTotal } = body.member;
  assert.deepEqual(
    [id, email, balance, debt, phoneVerified, emailVerified, paidTotal],
    [body.userId, body.userEmail, '1000', '0', true, true, '0'],
  );
  assert.equal(name, body.userName);
  assert.match(body.member.createdAt, /Z$/);
  for (const { code, verdict, text } of body.checks) {
    assert.match(code, /^[a-z]+$/);
    assert.ok(['pass', 'look', 'block'].includes(verdict), verdict);
    assert.match(text, /^[A-Z].*\.$/);
  }
  const [source] = body.sources;
  assert.deepEqual(
    [source.provider, source.points, source.earnings, source.reversedPoints],
    [null, '2000', 1, '0'],
  );
  assert.deepEqual([body.history, body.payout], [[], null]);
});

it('leaves them out of an approval of all, one by one with the reason, until they are chosen', async () => {
  const approve = async (body: object) =>
    (await site.call('POST', '/api/admin/withdrawals/approve-all', { as, body })).body;
  const planned = (await site.call('GET', '/api/admin/withdrawals/planned', { as })).body.approval;
  assert.deepEqual(
    [planned.count, planned.points, planned.methods, planned.staying],
    [
      1,
      '1000',
      [{ method: 'litecoin', count: 1, points: '1000' }],
      [{ reason: 'shared-address', count: LINKED }],
    ],
  );
  const { expectedCount, expectedPoints } = { expectedCount: planned.count, expectedPoints: planned.points };
  const { processed, failed } = await approve({ expectedCount, expectedPoints });
  assert.equal(processed, 1);
  assert.deepEqual(
    failed.map((row: { id: string; reason: string }) => [row.id, row.reason]),
    linked.map((id) => [id, 'flagged']),
  );
  assert.deepEqual(
    (await pending()).map(({ id }) => id),
    linked,
  );
  const [chosen = '', unchosen = ''] = linked;
  assert.equal((await approve({ ids: [unchosen] })).failed[0].reason, 'flagged');
  assert.equal((await approve({ ids: [chosen], withFlagged: true })).processed, 1);
  const { body } = await site.call('GET', `/api/admin/withdrawals/${chosen}`, { as });
  assert.deepEqual([body.payout.state, body.checks], ['queued', []]);
  assert.ok(body.payout.acts.includes('check'));
});
