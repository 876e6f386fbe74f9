import { openDatabase } from '#platform/database.ts';
import { watchDatabase } from '#platform/database-watch.ts';
import { createHealth } from '#platform/health.ts';
import { createLog } from '#platform/log.ts';
import { repeat } from '#platform/repeat.ts';
import { approveWithdrawal } from '../server/withdrawals/decisions.ts';
import { armFailpoint, disarmFailpoint } from '../server/withdrawals/failpoint.ts';
import { sweepPayouts } from '../server/withdrawals/payouts.ts';
import { requestWithdrawal } from '../server/withdrawals/withdrawals.ts';
import type { NodeAnswer, NodeOrder, NodeTask } from './payout-node.ts';
import { partsOn } from './withdrawals-parts.ts';

/** A node's work on payouts in a process of its own (`payout-node.ts`). It sweeps until the test lets go of it. */
const task = JSON.parse(process.argv[2] ?? '') as NodeTask;
const url = process.env.TEST_DATABASE_URL ?? '';
const { silenceMs, rpcTimeoutMs, leaseMs, pauseMs } = task;
const health = createHealth(createLog(process.env.LOG_LEVEL ?? 'silent'));
const watch = watchDatabase({ url, health, limits: { silenceMs } });
const database = openDatabase({ url, connectionsMax: 3, connectTimeoutMs: silenceMs, watch });
const usual = await partsOn(database, process.env as Record<string, string>);
const parts = { ...usual, health, config: { ...usual.config, rpcTimeoutMs } };
let turnCount = 0;

async function obey(order: NodeOrder): Promise<NodeAnswer['result']> {
  switch (order.act) {
    case 'arm':
      armFailpoint(order.failpoint);
      return null;
    case 'disarm':
      disarmFailpoint();
      return null;
    case 'look':
      return { turnCount, troubles: health.troubles().map(({ name }) => name) };
    case 'request': {
      const { memberId, amountPoints, address, requestKey } = order;
      const request = { amountPoints, method: 'litecoin', recipientInfo: { address } };
      return (await requestWithdrawal(parts, memberId, request, requestKey)).reply.id;
    }
    case 'approve':
      await approveWithdrawal(parts, order.operatorId, order.id);
      return null;
  }
}

process.on('message', async ({ number, order }: { number: number; order: NodeOrder }) => {
  const answer: NodeAnswer = { number, result: null, error: null };
  try {
    answer.result = await obey(order);
  } catch (error) {
    answer.error = String(error);
  }
  process.send?.(answer);
});
process.on('disconnect', () => process.exit());

void repeat(parts, new AbortController().signal, {
  name: 'payouts',
  everyMs: pauseMs,
  work: async (signal) => {
    await sweepPayouts(parts, signal, { leaseMs });
    turnCount += 1;
  },
});
