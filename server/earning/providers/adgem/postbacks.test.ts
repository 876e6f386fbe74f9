import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { sql } from '#platform/database.ts';
import { newTransaction, startPostbacks, values } from '../../../../test/postback-site.ts';
import type { Person } from '../../../../test/site.ts';
import { auditBooks } from '../../../ledger/audit.ts';

/** AdGem's documented sample and its second form over HTTP: JSON, signed in a header. */
const { site, send, balance, moneyState } = await startPostbacks({ after });

describe('AdGem by GET', () => {
  it('credits its documented sample, whose name has a broken escape', async () => {
    const member = await site.member();
    const path = '/api/webhooks/postback/adgem';
    const query =
      `amount=180&campaign_name=Example%App%3A%20Sports%20%26%20Casino%20%28iOS%29&goal_id=&payout=8.0E-4` +
      `&player_id=${member.id}&transaction_id=${newTransaction()}&request_id=${newTransaction()}`;
    const verifier = createHmac('sha256', 'a secret of adgem')
      .update(`${site.origin}${path}?${query}`)
      .digest('hex');
    const { status, body } = await site.call('GET', `${path}?${query}&verifier=${verifier}`);
    assert.deepEqual([status, body], [200, 'OK']);
    assert.equal(await balance(member), '180');
    const [earning] = await site.owner.rows<{ subject: string; payout: bigint }>(sql`
      select subject, payout_micro_usd as payout from earning.earnings where member_id = ${member.id}`);
    assert.deepEqual(earning, { subject: 'Example%App: Sports & Casino (iOS)', payout: 800n });
  });
});

describe('AdGem by POST', () => {
  const post = (
    body: string,
    signature = createHmac('sha256', 'a secret of adgem').update(body).digest('hex'),
  ) =>
    site.call('POST', '/api/webhooks/postback/adgem', {
      body,
      headers: { signature, 'content-type': 'application/json' },
    });
  const bodyOf = (member: Person, transaction: string, goal: string, amount = '180.5') =>
    JSON.stringify({
      request_id: newTransaction(),
      timestamp: 1_760_000_000,
      data: {
        player_id: String(member.id),
        amount: Number(amount),
        transaction_id: transaction,
        goal_id: goal,
      },
    });

  it('books each goal once, by GET or by POST', async () => {
    const member = await site.member();
    const transaction = newTransaction();
    for (const goal of ['g1', 'g1', 'g2']) {
      const { status, body } = await post(bodyOf(member, transaction, goal));
      assert.deepEqual([status, body], [200, 'OK']);
    }
    assert.equal(await balance(member), '360');
    await send('adgem', { ...values('adgem', member.id, transaction), goal_id: 'g2' });
    assert.equal(await balance(member), '360');
    await post(bodyOf(member, transaction, 'g2', '-180.5'));
    assert.equal(await balance(member), '180');
  });

  it('refuses a body that is not signed, not JSON or too large', async () => {
    const member = await site.member();
    const before = await moneyState();
    const body = bodyOf(member, newTransaction(), 'g1');
    const signature = createHmac('sha256', 'a secret of adgem').update(body).digest('hex');
    const changed = await post(body.replace('180.5', '980.5'), signature);
    assert.deepEqual([changed.status, changed.problem.code], [403, 'invalid-signature']);
    const none = await post('{"data":');
    assert.deepEqual([none.status, none.problem.code], [400, 'invalid-postback']);
    assert.equal((await post(`{"data":"${'x'.repeat(70_000)}"}`)).status, 413);
    assert.equal(await moneyState(), before);
  });
});

it('leaves balanced books', async () => assert.deepEqual(await auditBooks(site.owner), []));
