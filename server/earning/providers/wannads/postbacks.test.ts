import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { sql } from '#platform/database.ts';
import { nameOf, newTransaction, startPostbacks, takenBack, values } from '../../../../test/postback-site.ts';
import { auditBooks } from '../../../ledger/audit.ts';
import { facts } from './facts.ts';

/** Rejections of Wannads with their own transaction, and calls with shifted digits, over HTTP. */
const { site, configure, made, send, sendRaw, balance, lastVerdict } = await startPostbacks({ after });

describe('a transaction of Wannads', () => {
  it('reverses one of several equal credits for each rejection, once', async () => {
    const member = await site.member();
    const [one, two] = [newTransaction(), newTransaction()];
    const rejection = (id: string) => send('wannads', takenBack('wannads', member.id, id));
    for (const transaction of [one, two]) await send('wannads', values('wannads', member.id, transaction));
    await rejection(`x${one}`);
    await rejection(`x${one}`);
    assert.equal(await balance(member), '180');
    await rejection(`x${two}`);
    assert.equal(await balance(member), '0');
    await rejection(`y${two}`);
    assert.equal(await balance(member), '0');
    assert.equal(await lastVerdict(), 'quarantined');
  });

  it('nets to zero when all of many equal credits are rejected, in any order', async () => {
    for (const form of ['wannads', 'wannadsOld'] as const) {
      const member = await site.member();
      const transactions = Array.from({ length: 12 }, newTransaction);
      const calls = transactions.flatMap((transaction, index) => {
        const pair = [values(form, member.id, transaction), takenBack(form, member.id, transaction)];
        return index % 2 === 0 ? pair : pair.reverse();
      });
      await Promise.all([...calls, ...calls.toReversed()].map((call) => send(form, call)));
      assert.equal(await balance(member), '0');
      const left = await site.owner.rows(sql`
        select from earning.earnings where member_id = ${member.id} and left_points > 0
        union all
        select from earning.quarantine where state = 'open' and member_ref = ${String(member.id)}`);
      assert.equal(left.length, 0);
    }
  });

  it('reverses a credit of the new generation under its own id', async () => {
    const member = await site.member();
    const [kept, lost] = [newTransaction(), newTransaction()];
    for (const transaction of [lost, kept]) await send('wannads', values('wannads', member.id, transaction));
    await send('wannads', { ...takenBack('wannads', member.id, lost), transaction_id: lost });
    const standing = await site.owner.rows(sql`
      select transaction_id from earning.earnings where member_id = ${member.id} and left_points = 180`);
    assert.deepEqual(standing, [{ transaction_id: kept }]);
  });

  it('books a repeated credit once while several rejections wait', async () => {
    const member = await site.member();
    const credit = newTransaction();
    const waiting = (id: string) => ({ ...takenBack('wannads', member.id, id), transaction_id: id });
    for (const id of [newTransaction(), newTransaction()]) await send('wannads', waiting(id));
    for (let time = 0; time < 3; time += 1) await send('wannads', values('wannads', member.id, credit));
    assert.equal(await balance(member), '0');
    const open = await site.owner.rows(sql`
      select from earning.quarantine where state = 'open' and member_ref = ${String(member.id)}`);
    assert.equal(open.length, 1);
    await send('wannads', values('wannads', member.id, newTransaction()));
    assert.equal(await balance(member), '0');
  });
});

describe('a part that the signature does not separate', () => {
  it('is held from an unlisted address if digits moved from transaction to reward', async () => {
    const { publishedSourceAddresses: sourceAddresses, liveSourcePolicy: sourcePolicy } = facts;
    await configure('wannads', { settings: { sourceAddresses, sourcePolicy } });
    for (const form of ['wannads', 'wannadsOld'] as const) {
      const member = await site.member();
      const transaction = `${newTransaction()}5`;
      const { url } = made(form, values(form, member.id, transaction, '12'));
      const name = nameOf(form, 'transaction');
      const shifted = url
        .replace(`${name}=${transaction}`, `${name}=${transaction.slice(0, -1)}`)
        .replace('reward=12', `reward=${transaction.slice(-1)}12`);
      assert.equal((await sendRaw({ ...made(form, {}), url: shifted })).status, 200);
      assert.equal(await lastVerdict(), 'held');
      assert.equal(await balance(member), '0');
    }
    await configure('wannads', { settings: { sourceAddresses: [], sourcePolicy: 'record' } });
  });
});

it('leaves balanced books', async () => assert.deepEqual(await auditBooks(site.owner), []));
