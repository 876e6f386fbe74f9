import * as contract from '#contract/risk.ts';
import * as switches from '#contract/risk-rules.ts';
import { readRiskySessions } from '#contract/risk-sessions.ts';
import * as signals from '#contract/risk-signals.ts';
import { handle } from '#platform/http/handle.ts';
import { handleOperatorList } from '#platform/http/operator-list.ts';
import type { Platform } from '#platform/platform.ts';
import { activityList } from './activity-list.ts';
import { blockList } from './block-list.ts';
import { type LinkSources, readDetectionLinks } from './detection-links.ts';
import { detectionList } from './detection-list.ts';
import { blockAddress, blockDomain, liftBlock, type ReadOperatorAddresses } from './risk.ts';
import { listRules, switchRule } from './rule-switches.ts';
import { listRiskySessions, type ScoreSources } from './session-scores.ts';
import { decideDetection, readDetectionHolds, readFraudStats } from './signals.ts';

type RiskySessions = { countRisky: Parameters<typeof readFraudStats>[1] };

/** HTTP for operators: blocks, and what the rules found. */
export function riskAdminRoutes(
  platform: Platform,
  sessions: ScoreSources & RiskySessions,
  readOperatorAddresses: ReadOperatorAddresses,
  countHeldByDetection: Parameters<typeof readDetectionHolds>[1],
  linkSources: LinkSources,
): void {
  handleOperatorList(platform, activityList);
  handleOperatorList(platform, detectionList);
  handle(platform, signals.readFraudStats, () => readFraudStats(platform, sessions.countRisky));
  handle(platform, readRiskySessions, async () => ({
    sessions: await listRiskySessions(platform, sessions),
  }));
  handle(platform, signals.readDetectionHolds, ({ params }) =>
    readDetectionHolds(platform, countHeldByDetection, BigInt(params.id)),
  );
  handle(platform, signals.readDetectionLinks, async ({ params }) => ({
    links: await readDetectionLinks(platform, linkSources, BigInt(params.id)),
  }));
  handle(platform, signals.decideDetection, ({ caller, params, body }) =>
    decideDetection(platform, sessions, {
      operatorId: caller.id,
      id: BigInt(params.id),
      status: body.status,
    }),
  );
  handle(platform, switches.readRiskRules, () => listRules(platform));
  handle(platform, switches.switchRiskRule, ({ caller, params, body }) =>
    switchRule(platform, caller.id, params.rule, body.mode),
  );
  handleOperatorList(platform, blockList);
  handle(platform, contract.blockAddress, ({ caller, body, ip }) =>
    blockAddress(platform, { id: caller.id, address: ip }, readOperatorAddresses, body),
  );
  handle(platform, contract.blockDomain, ({ caller, body }) => blockDomain(platform, caller.id, body));
  handle(platform, contract.liftBlock, async ({ caller, params }) => {
    await liftBlock(platform, caller.id, BigInt(params.id));
    return null;
  });
}
