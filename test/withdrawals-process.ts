import { openDatabase } from '#platform/database.ts';
import { sweepBulkActs } from '../server/withdrawals/bulk-runs.ts';
import { approveWithdrawal } from '../server/withdrawals/decisions.ts';
import { armFailpoint } from '../server/withdrawals/failpoint.ts';
import { sweepPayouts } from '../server/withdrawals/payouts.ts';
import { requestWithdrawal } from '../server/withdrawals/withdrawals.ts';
import { partsOn } from './withdrawals-parts.ts';
import type { ProcessTask } from './withdrawals-world.ts';

/** One operation of a node or worker in a separate process, so that a test can kill it at a failpoint. */
const task = JSON.parse(process.argv[2] ?? '') as ProcessTask;
const appUrl = process.env.TEST_DATABASE_URL ?? '';
if (process.env.FAILPOINT) armFailpoint(process.env.FAILPOINT);
const database = openDatabase({ url: appUrl, connectionsMax: 3 });
const parts = await partsOn(database, process.env as Record<string, string>);
switch (task.act) {
  case 'request': {
    const { memberId, amountPoints, address, requestKey } = task;
    const request = { amountPoints, method: 'litecoin', recipientInfo: { address } };
    await requestWithdrawal(parts, memberId, request, requestKey);
    break;
  }
  case 'approve':
    await approveWithdrawal(parts, task.operatorId, task.id);
    break;
  case 'sweep-bulk':
    await sweepBulkActs(parts, new AbortController().signal);
    break;
  case 'sweep':
    await sweepPayouts(parts);
    break;
}
await database.close();
