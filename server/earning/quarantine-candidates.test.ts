import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { newTransaction, startPostbacks, takenBack, values } from '../../test/postback-site.ts';
import { similarIds } from './quarantine-candidates.ts';

/** Whom a call in quarantine may mean. */
describe('ids like a mistyped one', () => {
  it('have two neighbours swapped, or one digit wrong, missing or too many', () => {
    const { swapped, digit } = similarIds('912004418');
    assert.ok(swapped.includes('912004481'));
    assert.ok(digit.includes('912004419') && !digit.includes('912004418') && !digit.includes('012004418'));
    assert.ok(similarIds('91200441').digit.includes('912004418'));
    assert.ok(similarIds('9120044188').digit.includes('912004418'));
    assert.deepEqual(similarIds('nobody'), { swapped: [], digit: [] });
  });
});

describe('a call in quarantine', async () => {
  const { site, send } = await startPostbacks({ after });
  const operator = await site.member({ role: 'admin' });
  const member = await site.member();
  const detailsOf = async (transaction: string) => {
    const [row] = (await site.call('GET', `/api/admin/quarantine?q=${transaction}`, { as: operator })).body;
    const answer = await site.call('GET', `/api/admin/quarantine/${row.id}`, { as: operator });
    assert.equal(answer.status, 200);
    return answer.body;
  };

  it('names the member whose id is one digit off, and the raw call', async () => {
    const { id } = member;
    const wrong = `${String(id).slice(0, 8)}${(Number(id) + 1) % 10}`;
    const transaction = newTransaction();
    await send('cpx', values('cpx', wrong, transaction));
    const details = await detailsOf(transaction);
    assert.deepEqual(
      details.candidates.map((one: { id: string; why: string; isDeleted: boolean }) => [one.id, one.why]),
      [[String(id), 'digit']],
    );
    const { body } = await site.call('GET', `/api/admin/postbacks?id=${details.postbackId}`, {
      as: operator,
    });
    assert.equal(body[0].txId, transaction);
  });

  it('names the member of the credit that a reversal takes back', async () => {
    const transaction = newTransaction();
    await send('kiwiwall', values('kiwiwall', member.id, transaction));
    await send('kiwiwall', takenBack('kiwiwall', (await site.member()).id, transaction));
    const { candidates, creditTxId, providerName } = await detailsOf(transaction);
    assert.deepEqual([candidates[0].id, candidates[0].why], [String(member.id), 'creditOf']);
    assert.deepEqual([creditTxId, providerName], [transaction, 'KiwiWall']);
  });

  it('is for operators alone, and 404 if there is none', async () => {
    const path = '/api/admin/quarantine/999999999';
    assert.equal((await site.call('GET', path, { as: member })).status, 403);
    assert.equal((await site.call('GET', path, { as: operator })).status, 404);
  });
});
