import { isDeepStrictEqual } from 'node:util';
import type { SettingName, SettingValue, SiteProposal } from '#contract/site.ts';
import { json, type Reader, sql, type Tx } from './database.ts';
import type { Step } from './settings-bounds.ts';

/**
 * Changes of the site's settings that wait for another operator. The caller holds the lock on the settings, so that a
 * setting has at most one, and each is decided once.
 */

/** How long a change can be confirmed. */
const OPEN = sql`interval '24 hours'`;

export type Proposal = {
  id: bigint;
  setting: SettingName;
  value: SettingValue;
  operatorId: number;
  at: Date;
  endsAt: Date;
};

/** All changes that wait, in the order in which they were asked for. */
export const readProposals = (reader: Reader) =>
  reader.rows<Proposal>(sql`
    select id, setting, value, operator_id as "operatorId", at, at + ${OPEN} as "endsAt"
    from platform.settings_proposals where at > platform.business_now() - ${OPEN} order by id`);

/** Adds a change, in the place of another one of the same setting. False if the same one waits already. */
export async function addProposal(tx: Tx, { setting, to }: Step, operatorId: number): Promise<boolean> {
  const open = (await readProposals(tx)).find((proposal) => proposal.setting === setting);
  if (open !== undefined && isDeepStrictEqual(open.value, to)) return false;
  await tx.rows(sql`delete from platform.settings_proposals where setting = ${setting}`);
  await tx.rows(sql`
    insert into platform.settings_proposals (setting, value, operator_id, at)
    values (${setting}, ${json(to)}::jsonb, ${operatorId}, platform.business_now())`);
  return true;
}

/** Removes a change, which is decided now. */
export const removeProposal = (tx: Tx, { id }: Proposal) =>
  tx.rows(sql`delete from platform.settings_proposals where id = ${id}`);

/** A change that waits in the contract's shape. `from` is the value of now. */
export const proposalOf = (
  { id, setting, value, operatorId, at, endsAt }: Proposal,
  from: SettingValue,
): SiteProposal => ({
  id: String(id),
  setting,
  from,
  to: value,
  operatorId: String(operatorId),
  at: at.toISOString(),
  endsAt: endsAt.toISOString(),
});
