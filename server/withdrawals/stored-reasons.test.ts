import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { after, describe, it } from 'node:test';
import { sentence, storedTextsOf } from '#contract/operator-sentences.ts';
import { sql } from '#platform/database.ts';
import { takeLease } from '#platform/leases.ts';
import { randomRegtestAddress } from '../../test/litecoind.ts';
import { ask, startWorld } from '../../test/withdrawals-world.ts';
import { readPayout } from './payout-list.ts';
import { forgetPayingAccount, turnNameOf } from './payout-queries.ts';
import { isStop } from './payout-stop-queries.ts';

/**
 * What releases stored, word for word. When one of these texts changes in the contract, the new one is added here and
 * the former one stays.
 */
const storedStops = [
  'Withdrawals of this member are suspended. It waits until the suspension ends, or until an operator gives it up.',
  'The member said later that somebody else used the account. It is not paid; an operator can give it up.',
  'The member’s balance is below zero. The payment waits until new points fill it, or until an operator gives it up.',
  'These points may be paid already: no payout accounts for a payment; run `npm run admin -- reconcile`.',
  'These points may be paid already: a restore left a payment to look at; run `npm run admin -- reconcile`.',
  'These points may be paid already: after a restore a payment is to be looked at or a method to be compared; ' +
    'run `npm run admin -- reconcile`.',
];
const storedOtherAccount = ['METHOD REASON', 'METHOD'].map(
  (words) =>
    'The account that pays is another one than before, so its list does not show what was paid. ' +
    `Connect the former one, or run \`npm run admin -- reconcile --new-account ${words}\`.`,
);

describe('a stored reason that is looked for', async () => {
  const world = await startWorld({ after });
  const approved = async (trouble: string): Promise<string> => {
    const { id } = await ask(world, await world.member(2_000n), 2_000n, randomRegtestAddress());
    await world.owner.rows(
      sql`select withdrawals.approve(${id}, ${world.operator}, 80, 2500000, 0, false, null, null, null)`,
    );
    await world.owner.rows(
      sql`update withdrawals.payouts set trouble = ${trouble} where withdrawal_id = ${id}`,
    );
    return id;
  };
  const troubleOf = async (id: string) => (await readPayout(world.database, id)).trouble;

  it('is not told of a stop that ended, whichever release stored it', async () => {
    for (const text of storedStops) {
      assert.ok(isStop(text), text);
      assert.equal(await troubleOf(await approved(text)), sentence('payout-queued'));
    }
  });
  it('of another account ends with the act, whichever release stored it', async () => {
    const ids = await Promise.all(storedOtherAccount.map(approved));
    for (const [index, id] of ids.entries()) assert.equal(await troubleOf(id), storedOtherAccount[index]);
    const lease = await takeLease(world.parts, turnNameOf('litecoin'));
    assert(lease);
    await world.database.transaction((tx) => forgetPayingAccount(tx, lease, 'litecoin'));
    await lease.release();
    for (const id of ids) assert.equal(await troubleOf(id), sentence('payout-queued'));
    assert.deepEqual(storedTextsOf('other-account'), storedOtherAccount);
  });
  it('is one of the known ones: no other text is compared', () => {
    const compared =
      /trouble (?:===|!==) (?!null|undefined)\S+|(?:and|where|when) (?:\w\.)?trouble (?:=|<>|like|in) .*?\w+\(?\W*\w+/g;
    const files = globSync(`${import.meta.dirname}/*.{ts,sql}`).filter((path) => !path.includes('.test.'));
    const found = files.flatMap((path) => readFileSync(path, 'utf8').match(compared) ?? []).sort();
    assert.deepEqual(found, ['and trouble = any (${storedTextsOf', 'when p.trouble <> all (${storedStops']);
  });
});
