import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { sql } from '#platform/database.ts';
import { newTransaction } from '../../test/postback-site.ts';
import { type Person, testSite } from '../../test/site.ts';
import { auditBooks } from '../ledger/audit.ts';

/** Calls that wait for an operator: reversals from elsewhere, early reversals, and credits for nobody. */
const site = await testSite({ after });
const operator = await site.member({ role: 'admin' });
const secret = 'cpx secret of a test';
/** The provider calls from the address of the test, or from another one. */
async function callsFrom(source: 'its own address' | 'elsewhere'): Promise<void> {
  const sourceAddresses = [source === 'elsewhere' ? '203.0.113.9' : '127.0.0.1'];
  const body = {
    isEnabled: true,
    apiKey: 'app',
    secret,
    settings: { sourceAddresses, sourcePolicy: 'hold' },
  };
  assert.equal((await site.call('PUT', '/api/admin/providers/cpx', { as: operator, body })).status, 200);
}
type Call = { transaction: string; member: string | number; status: '1' | '2' };
/** Sends a call, which gets the success answer. Returns the verdict that was stored. */
async function send({ transaction, member, status }: Call): Promise<string> {
  const hash = createHash('md5').update(`${transaction}-${secret}`).digest('hex');
  const query = `status=${status}&trans_id=${transaction}&user_id=${member}&amount_local=180&secure_hash=${hash}`;
  const answer = await site.call('GET', `/api/webhooks/postback/cpx?${query}`);
  assert.deepEqual([answer.status, answer.body], [200, '1']);
  const last = sql`select verdict from earning.postbacks order by id desc limit 1`;
  return (await site.owner.one<{ verdict: string }>(last)).verdict;
}
const balance = async (as: Person): Promise<string> =>
  (await site.call('GET', '/api/user/stats', { as })).body.balance;
const waiting = async (transaction: string) =>
  (await site.call('GET', `/api/admin/quarantine?q=${transaction}`, { as: operator })).body;
const resolve = async (transaction: string, body: Record<string, unknown>) => {
  const [{ id }] = await waiting(transaction);
  return site.call('POST', `/api/admin/quarantine/${id}/resolve`, {
    as: operator,
    body: { note: 'Seen', ...body },
  });
};

/** A member with a credit of 180 points. */
async function credited(): Promise<{ member: Person; transaction: string }> {
  await callsFrom('its own address');
  const member = await site.member();
  const transaction = newTransaction();
  assert.equal(await send({ transaction, member: member.id, status: '1' }), 'credited');
  return { member, transaction };
}

describe('a reversal from an unlisted address', () => {
  it('waits for an operator, who books it once', async () => {
    const { member, transaction } = await credited();
    await callsFrom('elsewhere');
    const reversal = { transaction, member: member.id, status: '2' } as const;
    assert.deepEqual([await send(reversal), await send(reversal)], ['held', 'duplicate']);
    assert.equal(await balance(member), '180');
    const [{ id, at: _, ...held }] = await waiting(transaction);
    assert.deepEqual(held, {
      provider: 'cpx',
      kind: 'reversal',
      memberId: String(member.id),
      txId: transaction,
      amount: '180',
      reason: 'unlisted address',
    });
    const url = `/api/admin/quarantine/${id}/resolve`;
    const body = { action: 'book', note: 'The provider confirmed it' };
    assert.equal((await site.call('POST', url, { as: member, body })).status, 403);
    const both = await Promise.all([
      site.call('POST', url, { as: operator, body }),
      site.call('POST', url, { as: operator, body }),
    ]);
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409]);
    assert.deepEqual([await balance(member), await waiting(transaction)], ['0', []]);
    await callsFrom('its own address');
    assert.equal(await send(reversal), 'duplicate');
    assert.equal(await balance(member), '0');
  });

  it('has no effect when it is dismissed, and does not stop the provider’s own', async () => {
    const { member, transaction } = await credited();
    await callsFrom('elsewhere');
    const reversal = { transaction, member: member.id, status: '2' } as const;
    assert.equal(await send(reversal), 'held');
    assert.equal((await resolve(transaction, { action: 'dismiss' })).status, 200);
    assert.equal(await send(reversal), 'duplicate');
    assert.equal(await balance(member), '180');
    await callsFrom('its own address');
    assert.equal(await send(reversal), 'reversed');
    assert.equal(await balance(member), '0');
  });

  it('does not touch a credit that comes after it', async () => {
    const member = await site.member();
    const transaction = newTransaction();
    await callsFrom('elsewhere');
    assert.equal(await send({ transaction, member: member.id, status: '2' }), 'held');
    await callsFrom('its own address');
    assert.equal(await send({ transaction, member: member.id, status: '1' }), 'credited');
    assert.equal(await balance(member), '180');
    assert.equal((await waiting(transaction)).length, 1);
  });

  it('gives way to the provider’s own early one, which the credit then meets', async () => {
    const member = await site.member();
    const transaction = newTransaction();
    await callsFrom('elsewhere');
    assert.equal(await send({ transaction, member: member.id, status: '2' }), 'held');
    await callsFrom('its own address');
    assert.equal(await send({ transaction, member: member.id, status: '2' }), 'quarantined');
    assert.equal((await waiting(transaction))[0].reason, 'unknown credit');
    assert.equal(await send({ transaction, member: member.id, status: '1' }), 'credited');
    assert.deepEqual([await balance(member), await waiting(transaction)], ['0', []]);
  });
});

describe('a call in quarantine', () => {
  it('is neither booked nor dismissed by the operator whom it is about', async () => {
    await callsFrom('its own address');
    const [stranger, own] = [newTransaction(), newTransaction()];
    assert.equal(await send({ transaction: stranger, member: 900_000_001, status: '1' }), 'quarantined');
    const mine = { action: 'book', memberId: String(operator.id) };
    const booked = await resolve(stranger, mine);
    assert.deepEqual([booked.status, booked.problem.code], [409, 'own-request']);
    assert.equal((await waiting(stranger)).length, 1);
    assert.equal(await send({ transaction: own, member: operator.id, status: '1' }), 'credited');
    await callsFrom('elsewhere');
    assert.equal(await send({ transaction: own, member: operator.id, status: '2' }), 'held');
    const dismissed = await resolve(own, { action: 'dismiss' });
    assert.deepEqual([dismissed.status, dismissed.problem.code], [409, 'own-request']);
  });
  it('stays if it is a reversal whose credit is unknown', async () => {
    await callsFrom('its own address');
    const member = await site.member();
    const transaction = newTransaction();
    await send({ transaction, member: member.id, status: '2' });
    assert.equal((await resolve(transaction, { action: 'book' })).status, 400);
    assert.equal((await waiting(transaction)).length, 1);
  });

  it('is booked for the member whom an operator names', async () => {
    await callsFrom('its own address');
    const member = await site.member();
    const transaction = newTransaction();
    assert.equal(await send({ transaction, member: 'nobody', status: '1' }), 'quarantined');
    const unknown = await resolve(transaction, { action: 'book', memberId: '999999999' });
    assert.deepEqual([unknown.status, unknown.problem.code], [404, 'unknown-member']);
    assert.equal((await resolve(transaction, { action: 'book', memberId: String(member.id) })).status, 200);
    assert.equal(await balance(member), '180');
    await send({ transaction, member: 'nobody', status: '1' });
    assert.deepEqual([await balance(member), await waiting(transaction)], ['180', []]);
  });

  it('leaves balanced books', async () => assert.deepEqual(await auditBooks(site.owner), []));
});
