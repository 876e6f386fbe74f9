import { changeSite, confirmProposal, readSite, withdrawProposal } from '#contract/site.ts';
import type { Platform } from '../platform.ts';
import {
  changeSettings,
  decideProposal,
  type IsOperatorSince,
  type ProposalDecision,
  readSiteState,
} from '../settings-change.ts';
import { handle } from './handle.ts';

/** HTTP for operators: the settings of the site. Reads them once, so that the first page has them. */
export async function registerSite(platform: Platform, isOperatorSince: IsOperatorSince): Promise<void> {
  const { database, config, settings } = platform;
  const read = () => readSiteState(database, config.mode);
  await settings.read();
  handle(platform, readSite, read);
  handle(platform, changeSite, async ({ caller, body: { reason = null, ...change } }) => {
    await changeSettings(database, config.mode, change, caller.id, reason);
    return read();
  });
  const decide = async (decision: ProposalDecision) => {
    await decideProposal(database, config.mode, decision, isOperatorSince);
    return read();
  };
  handle(platform, confirmProposal, ({ caller, params }) =>
    decide({ id: BigInt(params.id), decision: 'confirm', actor: caller.id }),
  );
  handle(platform, withdrawProposal, ({ caller, params }) =>
    decide({ id: BigInt(params.id), decision: 'withdraw', actor: caller.id }),
  );
}
