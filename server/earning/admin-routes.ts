import * as contract from '#contract/earning.ts';
import { seedTasks } from '#contract/earning-catalogue.ts';
import { type Call, handle } from '#platform/http/handle.ts';
import type { Platform } from '#platform/platform.ts';
import { shownBalance } from '../ledger/ledger.ts';
import { seedCatalogue } from './catalogue.ts';
import { decideEarning, readApprovalStats, readPendingEarnings } from './earning.ts';
import { changeProviderSettings, readProviderRows, shownProvider } from './provider-settings.ts';

/** HTTP for operators: providers' settings, and earnings that wait. */
export function earningAdminRoutes(platform: Platform): void {
  handle(platform, contract.readPendingEarnings, async ({ query, total }) => {
    const { rows, total: count } = await readPendingEarnings(platform, query);
    total(count);
    return rows;
  });
  handle(platform, contract.readApprovalStats, () => readApprovalStats(platform));
  handle(platform, contract.approveEarning, (call) =>
    decide(platform, call, 'approve', call.body?.reviewNote || null),
  );
  handle(platform, contract.rejectEarning, (call) => decide(platform, call, 'reject', call.body.reviewNote));
  handle(platform, contract.readProviders, async ({ query, total }) => {
    const rows = (await readProviderRows(platform.database)).filter(
      ({ id, name }) => !query.q || id === query.q || name.toLowerCase().includes(query.q.toLowerCase()),
    );
    total(rows.length);
    const first = (query.page - 1) * query.limit;
    return rows.slice(first, first + query.limit).map((row) => shownProvider(platform.config, row));
  });
  handle(platform, contract.changeProvider, ({ params, body }) =>
    changeProviderSettings(platform, params.id, body),
  );
  handle(platform, seedTasks, () => seedCatalogue(platform));
}

async function decide(
  platform: Platform,
  call: Call<typeof contract.approveEarning> | Call<typeof contract.rejectEarning>,
  verdict: 'approve' | 'reject',
  note: string | null,
) {
  const { earning, memberId, balance } = await decideEarning(platform, {
    heldId: BigInt(call.params.id),
    verdict,
    operatorId: call.caller.id,
    note,
  });
  if (balance !== null) call.announce(memberId, { type: 'balance', balance: shownBalance(balance) });
  return earning;
}
