import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { z } from 'zod';
import { chargeback, chargebackReasons } from '#contract/earning.ts';
import { sql } from '#platform/database.ts';
import { type Person, testSite } from '../../test/site.ts';
import { reasonLabels } from './chargebacks.ts';
import { type ReasonClass, readReversals } from './queries.ts';

/** A member's chargebacks over HTTP. */
const site = await testSite({ after });
const operator = await site.member({ role: 'admin' });
const SECRET = 'secret of a test';
for (const id of ['cpx', 'kiwiwall']) {
  const body = { isEnabled: true, apiKey: 'app', secret: SECRET };
  assert.equal((await site.call('PUT', `/api/admin/providers/${id}`, { as: operator, body })).status, 200);
}
const md5 = (text: string) => createHash('md5').update(text).digest('hex');
let count = 0;
async function cpx(member: Person, points: number, status: '1' | '2', transaction?: string) {
  count += 1;
  const id = transaction ?? `7000000${String(count).padStart(5, '0')}`;
  const answer = await site.call(
    'GET',
    `/api/webhooks/postback/cpx?status=${status}&trans_id=${id}&user_id=${member.id}&amount_local=${points}` +
      `&amount_usd=1&offer_id=1&type=${status === '1' ? 'complete' : 'canceled'}` +
      `&secure_hash=${md5(`${id}-${SECRET}`)}`,
  );
  assert.deepEqual([answer.status, answer.body], [200, '1']);
  return id;
}
const listOf = async (as: Person) => (await site.call('GET', '/api/user/chargebacks', { as })).body;

describe('the class of a reason', () => {
  const labelOf = async (reason: string) => {
    const { found } = await site.owner.one<{ found: ReasonClass }>(
      sql`select earning.reason_class_of(${reason}) as found`,
    );
    return reasonLabels[found];
  };
  it('§2-9 names of chargebacks: follows the first word, in upper or lower case', async () => {
    const reasons = [
      ['Chargeback: CPX Research: VPN detected, fraud', 'VPN Usage'],
      ['Chargeback: BitLabs: Proxy', 'VPN Usage'],
      ['Chargeback: CPX Research: fraudulent and invalid', 'Fraudulent Activity'],
      ['Chargeback: CPX Research: INVALID duplicate answer', 'Invalid Response'],
      ['Chargeback: CPX Research: Duplicate', 'Duplicate'],
      ['Chargeback: CPX Research: canceled', 'Policy Violation'],
    ];
    for (const [description, reason] of reasons) assert.equal(await labelOf(description as string), reason);
    assert.equal(await labelOf('Fraud'), 'Fraudulent Activity');
    assert.equal(chargebackReasons.length, 6);
  });
});

describe('the chargebacks of a member', () => {
  it('§2-3 chargeback: are empty, then list each reversal, newest first, in the contract’s shape', async () => {
    const member = await site.member();
    assert.deepEqual(await listOf(member), []);
    const first = await cpx(member, 180, '1');
    const second = await cpx(member, 90, '1');
    await cpx(member, 180, '2', first);
    await cpx(member, 90, '2', second);
    const list = z.array(z.strictObject(chargeback.shape)).parse(await listOf(member));
    assert.deepEqual(
      list.map(({ id, amount, provider, reason, txId }) => ({ id, amount, provider, reason, txId })),
      [
        { id: '4', amount: '-90', provider: 'CPX Research', reason: 'Policy Violation', txId: second },
        { id: '3', amount: '-180', provider: 'CPX Research', reason: 'Policy Violation', txId: first },
      ],
    );
    assert.match(list[0]?.description ?? '', /^Chargeback: CPX Research: /);
  });

  it('belong to one member, and name the reversed earning', async () => {
    const [member, other] = [await site.member(), await site.member()];
    const transaction = await cpx(member, 180, '1');
    await cpx(member, 180, '2', transaction);
    assert.deepEqual(await listOf(other), []);
    const { body } = await site.call('GET', '/api/user/chargebacks/2', { as: member });
    assert.equal(body.id, '2');
    assert.deepEqual([body.earning.id, body.earning.amount, body.earning.txId], ['1', '180', transaction]);
    for (const [path, as] of [
      ['1', member],
      ['3', member],
      ['x', member],
      ['2', other],
    ] as const)
      assert.equal((await site.call('GET', `/api/user/chargebacks/${path}`, { as })).status, 404);
    const entry = (await site.call('GET', '/api/user/history/2', { as: member })).body;
    assert.deepEqual([entry.amount, entry.balanceAfter, entry.debtAfter], ['-180', '0', '0']);
    assert.equal((await site.call('GET', '/api/user/history/2', { as: other })).status, 404);
  });

  it('are read by their own index, in a stable order', async () => {
    const member = await site.member();
    for (let round = 0; round < 3; round += 1) await cpx(member, 10, '2', await cpx(member, 10, '1'));
    await site.owner.transaction(async (tx) => {
      await tx.rows(sql`set local enable_seqscan = off`);
      const statements: string[] = [];
      await readReversals(
        {
          ...tx,
          rows: async (wanted) => {
            const plan = await tx.rows<Record<string, string>>({ ...wanted, text: `explain ${wanted.text}` });
            statements.push(plan.map((row) => row['QUERY PLAN']).join('\n'));
            return [];
          },
        },
        Number(member.id),
        200,
      );
      assert.match(statements[0] ?? '', /reversals_member/);
      assert.match(statements[0] ?? '', /movements_key/);
    });
    assert.deepEqual(
      (await listOf(member)).map(({ id }: { id: string }) => id),
      ['6', '4', '2'],
    );
  });

  it('show a debt after the reversal', async () => {
    const member = await site.member();
    const transaction = await cpx(member, 500, '1');
    await site.owner.rows(sql`
      select ledger.post_one(${member.id}, ${`spent:${member.id}`}, 'coinflip-stake', -300, 'coinflip', 'Coin flip',
        null, null, false)`);
    await cpx(member, 500, '2', transaction);
    const entry = (await site.call('GET', '/api/user/history/3', { as: member })).body;
    assert.deepEqual([entry.balanceAfter, entry.debtAfter], ['0', '300']);
  });
});
