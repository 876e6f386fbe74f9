import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { playCoinFlip } from '#contract/coinflip.ts';
import { testDatabase } from '../../../test/database.ts';
import { Refusal, refuse } from '../refusal.ts';
import { answerOnce, type KeyedCall } from './idempotency.ts';

/** Requests with the same key: while the first one is running, and of another call. */
const { database } = await testDatabase({ after });
type Reply = { n: number };

const callOf = (memberId: number): KeyedCall => ({
  endpoint: playCoinFlip,
  memberId,
  key: 'key',
  asked: { params: {}, query: {}, body: { betAmount: 1, playerChoice: 'heads' } },
  reply: { header: () => undefined as never },
});

describe('an idempotency key', () => {
  it('refuses concurrent calls while an outage deletes its row', async () => {
    const outage = async (): Promise<Reply> => {
      throw refuse('overloaded');
    };
    // The campaign `races` runs more.
    const rounds = Number(process.env.CAMPAIGN_RUNS ?? 10);
    for (let round = 0; round < rounds; round += 1) {
      const ends = await Promise.allSettled(
        Array.from({ length: 8 }, () => answerOnce(database, callOf(100_000_000 + round), outage)),
      );
      for (const end of ends) {
        assert(end.status === 'rejected');
        assert(end.reason instanceof Refusal, String(end.reason));
        assert.ok(['overloaded', 'in-progress'].includes(end.reason.code), end.reason.code);
      }
    }
  });
  it('is refused for a call with another query or another address', async () => {
    const call = callOf(100_001_000);
    const asking = (more: object) => ({ ...call, asked: { ...call.asked, ...more } });
    const counted = asking({ params: { id: '1' }, query: { dryRun: 'true' } });
    const answer = (n: number) => async (): Promise<Reply> => ({ n });
    assert.deepEqual(await answerOnce(database, counted, answer(1)), { n: 1 });
    assert.deepEqual(await answerOnce(database, counted, answer(2)), { n: 1 });
    for (const other of [
      { params: { id: '1' }, query: { dryRun: 'false' } },
      { params: { id: '2' }, query: { dryRun: 'true' } },
    ])
      await assert.rejects(answerOnce(database, asking(other), answer(3)), { code: 'idempotency-mismatch' });
  });
});
