import { isDeepStrictEqual } from 'node:util';
import {
  changeSite,
  confirmProposal,
  readSite,
  type SiteSettings,
  withdrawProposal,
} from '#contract/site.ts';
import { keepLogo } from '../logos.ts';
import type { Platform } from '../platform.ts';
import { readSettings } from '../settings.ts';
import {
  changeSettings,
  decideProposal,
  type OperatorRules,
  type ProposalDecision,
  readSiteState,
} from '../settings-change.ts';
import { handle } from './handle.ts';

/** What members see of the settings. */
const shownToMembers = ['brand', 'processingTime', 'bonusSchedule'] as const;

/** Makes open pages read the site's configuration again, if members see what changed. */
function tellMembers({ settings, bus }: Platform, before: SiteSettings, after: SiteSettings): void {
  settings.forget();
  if (shownToMembers.some((name) => !isDeepStrictEqual(before[name], after[name]))) bus.announceSiteChange();
  if (!isDeepStrictEqual(before.chat, after.chat)) bus.announceToAll({ type: 'chat' });
}

/** HTTP for operators: the settings of the site. Reads them once, so that the first page has them. */
export async function registerSite(platform: Platform, operators: OperatorRules): Promise<void> {
  const { database, config, settings, bus } = platform;
  bus.onSiteChange(() => settings.forget());
  const read = () => readSiteState(database, config.mode);
  await settings.read();
  handle(platform, readSite, read);
  handle(platform, changeSite, async ({ caller, body: { reason = null, brand, ...change } }) => {
    const { logo, ...words } = brand ?? {};
    const ready = {
      ...change,
      ...(brand === undefined
        ? {}
        : { brand: logo === undefined ? words : { ...words, logo: await keep(logo) } }),
    };
    const before = await readSettings(database, config.mode);
    const after = await changeSettings(database, config.mode, ready, caller.id, reason);
    tellMembers(platform, before, after);
    return read();
  });
  const keep = async (file: string | null) => (file === null ? null : keepLogo(database, file));
  const decide = async (decision: ProposalDecision) => {
    const before = await readSettings(database, config.mode);
    await decideProposal(database, config.mode, decision, operators);
    const after = await read();
    tellMembers(platform, before, after);
    return after;
  };
  handle(platform, confirmProposal, ({ caller, params }) =>
    decide({ id: BigInt(params.id), decision: 'confirm', actor: caller.id }),
  );
  handle(platform, withdrawProposal, ({ caller, params }) =>
    decide({ id: BigInt(params.id), decision: 'withdraw', actor: caller.id }),
  );
}
