import * as contract from '#contract/earning.ts';
import { seedTasks } from '#contract/earning-catalogue.ts';
import * as catalogue from '#contract/earning-catalogue-entries.ts';
import * as chargebacks from '#contract/earning-chargebacks.ts';
import * as postbacks from '#contract/earning-postbacks.ts';
import * as settings from '#contract/earning-providers.ts';
import * as quarantine from '#contract/earning-quarantine.ts';
import { type Call, handle } from '#platform/http/handle.ts';
import { handleOperatorList } from '#platform/http/operator-list.ts';
import type { Platform } from '#platform/platform.ts';
import { seedCatalogue, usableProviders } from './catalogue.ts';
import { addEntry, changeEntry, entryOf, moveEntry, removeEntry } from './catalogue-entries.ts';
import { catalogueEntryList } from './catalogue-entry-list.ts';
import { importEntries } from './catalogue-import.ts';
import type { Ceilings } from './ceilings.ts';
import { chargebackList } from './chargeback-list.ts';
import { testProvider } from './connection.ts';
import { decideEarning, pendingEarningOf, readApprovalStats } from './earning.ts';
import {
  bookManual,
  bookTest,
  listedChargebackOf,
  readReversalUrls,
  readStats,
} from './operator-chargebacks.ts';
import { pendingEarningList } from './pending-earning-list.ts';
import { postbackSource } from './postback-list.ts';
import type { PostbackRow } from './postback-queries.ts';
import { readStatsOfCalls } from './postback-stats.ts';
import { describePostbacks } from './postback-view.ts';
import { providerList } from './provider-list.ts';
import { changeProviderSettings, providerOf } from './provider-settings.ts';
import { quarantinedOf, resolveQuarantined } from './quarantine.ts';
import { readQuarantineDetails } from './quarantine-candidates.ts';
import { quarantineList } from './quarantine-list.ts';
import type { ProviderRow } from './queries.ts';
import { replayPostback } from './replays.ts';

/**
 * HTTP for operators: the catalogue, providers' settings and calls, held earnings, calls in quarantine and chargebacks.
 */
export function earningAdminRoutes(platform: Platform, ceilings: Ceilings): void {
  handleOperatorList(platform, {
    endpoint: contract.readPendingEarnings,
    source: pendingEarningList,
    toReply: pendingEarningOf,
  });
  handleOperatorList(platform, {
    endpoint: quarantine.readQuarantine,
    source: quarantineList,
    toReply: quarantinedOf,
  });
  handle(platform, quarantine.readQuarantineDetails, ({ params }) =>
    readQuarantineDetails(platform.database, BigInt(params.id)),
  );
  handle(
    platform,
    quarantine.resolveQuarantined,
    ({ caller, params, body: { action, note, memberId = null } }) =>
      resolveQuarantined(
        { ...platform, ceilings },
        {
          id: BigInt(params.id),
          action,
          note,
          memberRef: memberId,
          actor: caller.id,
        },
      ),
  );
  handle(platform, contract.readApprovalStats, ({ caller }) => readApprovalStats(platform, caller.id));
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
  catalogueRoutes(platform);
  chargebackRoutes(platform);
  postbackRoutes(platform, ceilings);
}

function catalogueRoutes(platform: Platform): void {
  handle(platform, seedTasks, ({ caller }) => seedCatalogue(platform, caller.id));
  handleOperatorList(platform, {
    endpoint: catalogue.readEntries,
    source: async () => catalogueEntryList(await usableProviders(platform)),
    toReply: entryOf,
  });
  handle(platform, catalogue.addEntry, ({ caller, body }) => addEntry(platform, body, caller.id));
  handle(platform, catalogue.changeEntry, ({ caller, params, body }) =>
    changeEntry(platform, { id: BigInt(params.id), body, operatorId: caller.id }),
  );
  handle(platform, catalogue.moveEntry, ({ caller, params, body }) =>
    moveEntry(platform, { id: BigInt(params.id), move: body, operatorId: caller.id }),
  );
  handle(platform, catalogue.importEntries, ({ caller, query, body: { csv } }) =>
    importEntries(platform, { csv, isDryRun: query.dryRun === 'true', operatorId: caller.id }),
  );
  handle(platform, catalogue.removeEntry, ({ caller, params }) =>
    removeEntry(platform, { id: BigInt(params.id), operatorId: caller.id }),
  );
}

function postbackRoutes(platform: Platform, ceilings: Ceilings): void {
  handleOperatorList(platform, {
    endpoint: postbacks.readPostbacks,
    source: async (query) => postbackSource(query),
    toReplies: (rows: readonly PostbackRow[]) => describePostbacks(platform, rows),
  });
  handle(platform, postbacks.readPostbackStats, () => readStatsOfCalls(platform));
  handle(platform, postbacks.replayPostback, ({ caller, params, query, body }) =>
    replayPostback(
      { ...platform, ceilings },
      {
        id: BigInt(params.id),
        isDryRun: query.dryRun === 'true',
        body,
        operatorId: caller.id,
      },
    ),
  );
}

function chargebackRoutes(platform: Platform): void {
  handleOperatorList(platform, {
    endpoint: chargebacks.readAllChargebacks,
    source: chargebackList,
    toReply: listedChargebackOf,
  });
  handle(platform, chargebacks.readChargebackStats, () => readStats(platform));
  handle(platform, chargebacks.readChargebackProviders, () => readReversalUrls(platform));
  handle(platform, chargebacks.bookChargeback, ({ caller, body, idempotencyKey: key }) =>
    bookManual(platform, body, { actor: caller.id, key }),
  );
  handle(platform, chargebacks.testChargeback, ({ caller, body, idempotencyKey: key }) =>
    bookTest(platform, body, { actor: caller.id, key }),
  );
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
    actor: call.caller.id,
    note,
  });
  return earning;
}
