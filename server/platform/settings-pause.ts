import type { Pause } from '#contract/pause.ts';
import { type ActorOrId, actorFieldsOf, recordActs } from './audit-trail.ts';
import { json, type Reader, sql, type Tx } from './database.ts';

/**
 * The pause of all payouts: the setting `payoutsPaused`, with who asked for it, when and why. Its begin and its end are
 * acts of their own in the audit trail, whichever way they were asked for.
 */

const target = { kind: 'site', id: 'site' } as const;

/** Records that the pause began or ended. The row of the settings is locked. */
export async function recordPause(
  tx: Tx,
  isPaused: boolean,
  actor: ActorOrId,
  reason: string | null,
): Promise<void> {
  const changed = { before: { payoutsPaused: !isPaused }, after: { payoutsPaused: isPaused } };
  const act = isPaused ? 'payouts.pause' : 'payouts.resume';
  await recordActs(tx, [{ actor, act, target, reason, ...changed }]);
  await storePause(tx, actor, reason);
}

/**
 * Gives a pause that lasts another reason: who ends the pause must read the newest one. The same reason again changes
 * nothing. The row of the settings is locked.
 */
export async function renewPause(tx: Tx, actor: ActorOrId, reason: string): Promise<void> {
  const former = await readPause(tx);
  if (former?.reason === reason) return;
  await recordActs(tx, [{ actor, act: 'payouts.pause', target, reason }]);
  await storePause(tx, actor, reason);
}

/** Keeps who began, renewed or ended the pause. */
function storePause(tx: Tx, actor: ActorOrId, reason: string | null) {
  const by = json({ ...actorFieldsOf(actor), reason });
  return tx.rows(sql`
    insert into platform.settings (key, value)
    values ('pause', ${by}::jsonb || jsonb_build_object('at', platform.business_now()))
    on conflict (key) do update set value = excluded.value`);
}

/** Who paused the payouts last; null if that was not kept. */
export async function readPause(reader: Reader): Promise<Pause | null> {
  // A pause that an older release stored has no actor. Without an operator it was the command line's.
  const row = await reader.row<Omit<Pause, 'at'> & { at: Date }>(sql`
    select value ->> 'operatorId' as "operatorId", value ->> 'reason' as reason,
      (value ->> 'at')::timestamptz as at,
      coalesce(value ->> 'actor', case when value ->> 'operatorId' is null then 'command-line' else 'operator' end)
        as actor
    from platform.settings where key = 'pause'`);
  return row === undefined ? null : { ...row, at: row.at.toISOString() };
}
