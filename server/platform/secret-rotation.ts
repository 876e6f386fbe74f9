import { ConfigFault } from './config.ts';
import { type Database, type Reader, sql } from './database.ts';
import { SealedError, type Secrets } from './secrets.ts';

/**
 * Which APP_SECRET a database is used with, and sealing all stored secrets anew after it was changed. A known text is
 * sealed in the database: a start whose secret does not open it is refused, because stored credentials would not open
 * either.
 */
const TEXT = 'the secret of this site';

/** The place of the known text. */
export const SECRET_CHECK = 'platform.secret_check';

/** Refuses a secret that the database was not used with. The first start stores the known text. @throws ConfigFault */
export async function requireKnownSecret(database: Database, secrets: Secrets): Promise<void> {
  await database.rows(sql`
    insert into platform.secret_check (sealed) values (${secrets.seal(TEXT, SECRET_CHECK)}) on conflict do nothing`);
  const { sealed = '' } = (await findCheck(database)) ?? {};
  try {
    secrets.open(sealed, SECRET_CHECK);
  } catch (error) {
    if (!(error instanceof SealedError)) throw error;
    throw new ConfigFault([
      'APP_SECRET: is not the one that this database is used with, so stored credentials do not open; ' +
        'set that one (if none was set, it is in DATA_DIR/site/secrets/app-secret), name it in APP_SECRET_FORMER ' +
        'while you change it, or start with an empty database',
    ]);
  }
}

const findCheck = (reader: Reader) =>
  reader.row<{ sealed: string }>(sql`select sealed from platform.secret_check`);

/** A stored secret: where it is, and how to replace it if it is still the same. */
export type SealedPlace = {
  context: string;
  sealed: string;
  replace(next: string): Promise<unknown>;
};

/** The known text, for sealing it anew; none before the first start. */
export async function sealedCheck(owner: Reader): Promise<SealedPlace[]> {
  const check = await findCheck(owner);
  if (check === undefined) return [];
  const { sealed } = check;
  const replace = (next: string) =>
    owner.rows(sql`update platform.secret_check set sealed = ${next} where sealed = ${sealed}`);
  return [{ context: SECRET_CHECK, sealed, replace }];
}

/** What was done: how many were sealed anew, how many are current now, and the places that do not open. */
export type Rotation = { resealedCount: number; currentCount: number; unreadable: string[] };

/** Seals with the current secret what another accepted one sealed. Repeating it is harmless. */
export async function reseal(secrets: Secrets, places: readonly SealedPlace[]): Promise<Rotation> {
  const rotation: Rotation = { resealedCount: 0, currentCount: 0, unreadable: [] };
  for (const { context, sealed, replace } of places) {
    const next = resealed(secrets, sealed, context);
    if (next instanceof Error) {
      rotation.unreadable.push(context);
      continue;
    }
    if (next !== null) await replace(next);
    rotation.resealedCount += next === null ? 0 : 1;
    rotation.currentCount += 1;
  }
  return rotation;
}

/** The value sealed anew, null if it is current, or the error of a value that does not open. */
function resealed(secrets: Secrets, sealed: string, context: string): string | null | Error {
  try {
    return secrets.reseal(sealed, context);
  } catch (error) {
    return error as Error;
  }
}
