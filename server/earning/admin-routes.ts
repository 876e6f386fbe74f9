import * as contract from '#contract/earning.ts';
import { seedTasks } from '#contract/earning-catalogue.ts';
import * as settings from '#contract/earning-providers.ts';
import {
  readQuarantine,
  resolveQuarantined as resolveQuarantinedCall,
} from '#contract/earning-quarantine.ts';
import { type Call, handle } from '#platform/http/handle.ts';
import { handleOperatorList } from '#platform/http/operator-list.ts';
import type { Platform } from '#platform/platform.ts';
import { seedCatalogue } from './catalogue.ts';
import { testProvider } from './connection.ts';
import { decideEarning, pendingEarningOf, readApprovalStats } from './earning.ts';
import { pendingEarningList } from './pending-earning-list.ts';
import { providerList } from './provider-list.ts';
import { changeProviderSettings, providerOf } from './provider-settings.ts';
import { quarantinedOf, resolveQuarantined } from './quarantine.ts';
import { quarantineList } from './quarantine-list.ts';
import type { ProviderRow } from './queries.ts';

/** HTTP for operators: providers' settings, held earnings and calls in quarantine. */
export function earningAdminRoutes(platform: Platform): void {
  handleOperatorList(platform, {
    endpoint: contract.readPendingEarnings,
    source: pendingEarningList,
    toReply: pendingEarningOf,
  });
  handleOperatorList(platform, {
    endpoint: readQuarantine,
    source: quarantineList,
    toReply: quarantinedOf,
  });
  handle(platform, resolveQuarantinedCall, ({ caller, params, body: { action, note, memberId = null } }) =>
    resolveQuarantined(platform, {
      id: BigInt(params.id),
      action,
      note,
      memberRef: memberId,
      operatorId: caller.id,
    }),
  );
  handle(platform, contract.readApprovalStats, () => readApprovalStats(platform));
  handle(platform, contract.approveEarning, (call) =>
    decide(platform, call, 'approve', call.body?.reviewNote || null),
  );
  handle(platform, contract.rejectEarning, (call) => decide(platform, call, 'reject', call.body.reviewNote));
  handleOperatorList(platform, {
    endpoint: settings.readProviders,
    source: providerList,
    toReply: (row: ProviderRow) => providerOf(platform.config, row),
  });
  handle(platform, settings.changeProvider, ({ caller, params, body }) =>
    changeProviderSettings(platform, params.id, body, caller.id),
  );
  handle(platform, settings.testProvider, ({ caller, params: { id }, body }) =>
    testProvider(platform, { id, body, operatorId: caller.id }),
  );
  handle(platform, seedTasks, ({ caller }) => seedCatalogue(platform, caller.id));
}

async function decide(
  platform: Platform,
  call: Call<typeof contract.approveEarning> | Call<typeof contract.rejectEarning>,
  verdict: 'approve' | 'reject',
  note: string | null,
) {
  const { earning } = await decideEarning(platform, {
    heldId: BigInt(call.params.id),
    verdict,
    operatorId: call.caller.id,
    note,
  });
  return earning;
}
