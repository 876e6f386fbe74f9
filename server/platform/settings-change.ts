import { isDeepStrictEqual } from 'node:util';
import type { SiteSettings, SiteSettingsChange, SiteState } from '#contract/site.ts';
import { type ActorOrId, changedFields, recordActs } from './audit-trail.ts';
import type { Config } from './config.ts';
import { type Database, json, type Reader, sql, type Tx } from './database.ts';
import { refuse } from './refusal.ts';
import { defaultSettings, readSettings, withChange } from './settings.ts';
import { changeOf, loosening, type Step, settingNames, settingOf, stepsOf } from './settings-bounds.ts';
import { readPause, recordPause, renewPause } from './settings-pause.ts';
import {
  addProposal,
  type Proposal,
  proposalOf,
  readProposals,
  removeProposal,
} from './settings-proposals.ts';

/** Changes of the site's settings. */

/** Locks the row of the settings, which is made first if there is none, so that concurrent changes add up. */
async function lockSettings(tx: Tx): Promise<SiteSettingsChange> {
  await tx.rows(sql`insert into platform.settings (key, value) values ('site', '{}') on conflict do nothing`);
  const { value } = await tx.one<{ value: SiteSettingsChange }>(
    sql`select value from platform.settings where key = 'site' for no key update`,
  );
  return value;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields that differ from the defaults; of an object, its fields that differ. */
function differing(value: Record<string, unknown>, from: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, field]) => !isDeepStrictEqual(field, from[name]))
      .map(([name, field]) => {
        const other = from[name];
        return [name, isRecord(field) && isRecord(other) ? differing(field, other) : field];
      }),
  );
}

/** Stores a change of the settings, which the caller has locked. */
async function storeChange(tx: Tx, mode: Config['mode'], before: SiteSettings, change: SiteSettingsChange) {
  const defaults = defaultSettings[mode];
  const after = withChange(before, change);
  await tx.rows(sql`
    update platform.settings set value = ${json(differing(after, defaults))}::jsonb where key = 'site'`);
  return after;
}

const mergeSteps = (before: SiteSettings, steps: readonly Step[]): SiteSettings =>
  steps.reduce((settings, { setting, to }) => withChange(settings, changeOf(setting, to)), before);

const act = { target: { kind: 'site', id: 'site' } } as const;

/**
 * Changes the given settings and returns all of them. Every node has them within a second. While a sum for two people
 * is set, what loosens a bound is not changed by one operator, but waits for another one. A changed setting has no
 * change that waits any more. A pause of payouts and its end are acts of their own (`settings-pause.ts`).
 */
export async function changeSettings(
  database: Database,
  mode: Config['mode'],
  change: SiteSettingsChange,
  actor: ActorOrId = 'site',
  reason: string | null = null,
): Promise<SiteSettings> {
  return database.transaction(async (tx) => {
    const before = withChange(defaultSettings[mode], await lockSettings(tx));
    const waiting =
      typeof actor !== 'number' || before.caps.secondPersonFrom === null ? [] : loosening(before, change);
    const applied = stepsOf(before, change).filter(
      ({ setting }) => !waiting.some((step) => step.setting === setting),
    );
    await endProposals(tx, before, applied, actor);
    const after = await storeChange(tx, mode, before, mergeSteps(before, applied));
    const { payoutsPaused } = after;
    const fields = changedFields({ ...before, payoutsPaused }, after);
    if (fields !== undefined)
      await recordActs(tx, [{ actor, act: 'site.change', reason, ...act, ...fields }]);
    if (payoutsPaused !== before.payoutsPaused) await recordPause(tx, payoutsPaused, actor, reason);
    else if (fields === undefined && change.payoutsPaused === true && reason !== null)
      await renewPause(tx, actor, reason);
    for (const step of waiting)
      if (typeof actor === 'number' && (await addProposal(tx, step, actor)))
        await recordActs(tx, [
          {
            actor,
            act: 'site.propose',
            ...act,
            reason,
            ...changedFields(after, withChange(after, changeOf(step.setting, step.to))),
          },
        ]);
    return after;
  });
}

/** Withdraws the changes that wait for these settings. */
async function endProposals(
  tx: Tx,
  settings: SiteSettings,
  steps: readonly Step[],
  actor: ActorOrId,
): Promise<void> {
  for (const proposal of await readProposals(tx))
    if (steps.some(({ setting }) => setting === proposal.setting))
      await withdraw(tx, settings, proposal, actor);
}

async function withdraw(
  tx: Tx,
  settings: SiteSettings,
  proposal: Proposal,
  actor: ActorOrId,
  reason: string | null = null,
): Promise<void> {
  await removeProposal(tx, proposal);
  const asked = withChange(settings, changeOf(proposal.setting, proposal.value));
  const fields = changedFields(asked, settings);
  await recordActs(tx, [{ actor, act: 'site.withdraw', reason, ...act, ...fields }]);
}

/** Withdraws the changes that an operator asked for, who loses the role in this transaction. Returns how many. */
export async function withdrawProposalsOf(
  tx: Tx,
  mode: Config['mode'],
  { memberId, actor, reason }: { memberId: number; actor: ActorOrId; reason: string | null },
): Promise<number> {
  const settings = withChange(defaultSettings[mode], await lockSettings(tx));
  const proposals = (await readProposals(tx)).filter(({ operatorId }) => operatorId === memberId);
  for (const proposal of proposals) await withdraw(tx, settings, proposal, actor, reason);
  return proposals.length;
}

export type ProposalDecision = {
  id: bigint;
  decision: 'confirm' | 'withdraw';
  actor: ActorOrId;
};

/** What `members` says of operators. */
export type OperatorRules = {
  /** Whether a member has been an operator since a moment, and the account was nobody else's. */
  isOperatorSince(reader: Reader, memberId: number, moment: Date): Promise<boolean>;
  /** Whether one of these accounts is the operator's own. */
  isOwn(reader: Reader, actor: ActorOrId, memberIds: readonly number[]): Promise<boolean>;
};

/**
 * Confirms or withdraws a change that waits, once. Who asked for it may withdraw it, and not confirm it. What somebody
 * asked for who is no operator any more can be withdrawn only.
 * @throws Refusal `not-found` (also if it was decided, replaced or is older than a day), `own-request`,
 *   `asker-not-operator`
 */
export async function decideProposal(
  database: Database,
  mode: Config['mode'],
  { id, decision, actor }: ProposalDecision,
  { isOperatorSince, isOwn }: OperatorRules,
): Promise<void> {
  await database.transaction(async (tx) => {
    const before = withChange(defaultSettings[mode], await lockSettings(tx));
    const proposal = (await readProposals(tx)).find((one) => one.id === id);
    if (proposal === undefined) throw refuse('not-found');
    if (decision === 'withdraw') return withdraw(tx, before, proposal, actor);
    if (await isOwn(tx, actor, [proposal.operatorId])) throw refuse('own-request');
    if (!(await isOperatorSince(tx, proposal.operatorId, proposal.at))) throw refuse('asker-not-operator');
    await removeProposal(tx, proposal);
    const after = await storeChange(tx, mode, before, changeOf(proposal.setting, proposal.value));
    await recordActs(tx, [{ actor, act: 'site.confirm', ...act, ...changedFields(before, after) }]);
  });
}

/** Reads the settings and the changes that wait for another operator. */
export async function readSiteState(reader: Reader, mode: Config['mode']): Promise<SiteState> {
  const [settings, proposals] = [await readSettings(reader, mode), await readProposals(reader)];
  return {
    ...settings,
    pause: settings.payoutsPaused ? await readPause(reader) : null,
    proposals: proposals
      .map((proposal) => proposalOf(proposal, settingOf(settings, proposal.setting) ?? null))
      .sort((one, other) => settingNames.indexOf(one.setting) - settingNames.indexOf(other.setting)),
  };
}

/** The changes of settings that wait for another operator, as something that waits. */
export async function readProposalsWait(reader: Reader) {
  const proposals = await readProposals(reader);
  return { count: proposals.length, points: null, oldestAt: proposals[0]?.at ?? null };
}
