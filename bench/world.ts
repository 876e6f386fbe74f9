import { readConfig } from '#platform/config.ts';
import { openDatabase, sql } from '#platform/database.ts';
import { sessionCookieName } from '#platform/http/caller.ts';
import { createSecrets } from '#platform/secrets.ts';
import { openSession } from '../server/access/sessions.ts';
import { secretOf } from '../server/earning/provider-settings.ts';
import { readProviderRows } from '../server/earning/queries.ts';
import { auditBooks } from '../server/ledger/ledger.ts';
import type { Site } from './site.ts';

/** Makes a bench's members, sessions and keys as bulk rows, and proves that nothing was lost. */
export const MEMBER_FIRST = 500_000_000;
export const MEMBERS = 10_000;

/** Makes members with empty wallets, numbered from MEMBER_FIRST. */
export async function addMembers({ superuser }: Site, count: number = MEMBERS): Promise<void> {
  await superuser.rows(sql`
    insert into members.members (id, email, email_canonical, first_name, referral_code, terms_version, created_at)
    select ${MEMBER_FIRST}::integer + g, 'bench' || g || '@example.com', 'bench' || g || '@example.com', 'Bench',
      'bench' || g, '1', platform.business_now()
    from generate_series(0, ${count - 1}::integer) g`);
  await superuser.rows(sql`
    insert into ledger.wallets (member_id, today)
    select ${MEMBER_FIRST}::integer + g, platform.site_day(platform.business_now())
    from generate_series(0, ${count - 1}::integer) g`);
  await superuser.rows(sql`vacuum analyze`);
}

/** More at once would wait too long for a connection. */
const OPENED_AT_ONCE = 500;

/** The session cookies of the first `count` members. */
export async function openSessions(site: Site, count: number): Promise<string[]> {
  const database = openDatabase({ url: site.urls.appUrl, connectionsMax: 4 });
  const name = sessionCookieName(site.origin);
  const open = async (index: number) => {
    const memberId = MEMBER_FIRST + index;
    return `${name}=${await database.transaction((tx) => openSession(tx, memberId, 'bench', '127.0.0.1'))}`;
  };
  const cookies: string[] = [];
  try {
    while (cookies.length < count) {
      const some = Math.min(OPENED_AT_ONCE, count - cookies.length);
      cookies.push(
        ...(await Promise.all(Array.from({ length: some }, (_, at) => open(cookies.length + at)))),
      );
    }
    return cookies;
  } finally {
    await database.close();
  }
}

/** The key for postbacks of CPX Research at this site. */
export async function readCpxSecret({ superuser, dataDir }: Site): Promise<string> {
  const secrets = createSecrets(readConfig({ DATA_DIR: dataDir }).appSecret);
  const row = (await readProviderRows(superuser)).find(({ id }) => id === 'cpx');
  if (row === undefined) throw new Error('The site knows no CPX Research');
  return secretOf({ secrets }, row);
}

/**
 * Proves that everything acknowledged is recorded: as many raw calls, earnings and movements whose transaction begins
 * with `prefix`, and books that balance.
 */
export async function assertRecorded(
  { superuser }: Site,
  prefix: string,
  acknowledged: number,
): Promise<string> {
  const counted = await superuser.one<{ calls: bigint; earnings: bigint; movements: bigint }>(sql`
    select
      (select count(*) from earning.postbacks where provider = 'cpx' and verdict = 'credited'
        and starts_with(transaction_id, ${prefix})) as calls,
      (select count(*) from earning.earnings where provider = 'cpx' and state = 'credited'
        and starts_with(transaction_id, ${prefix})) as earnings,
      (select count(*) from ledger.movements where provider = 'cpx' and starts_with(transaction_id, ${prefix}))
        as movements`);
  const { calls, earnings, movements } = counted;
  if ([calls, earnings, movements].some((count) => count !== BigInt(acknowledged)))
    throw new Error(
      `${acknowledged} acknowledged, but ${calls} calls, ${earnings} earnings, ${movements} movements are recorded`,
    );
  await assertBooksClean(superuser);
  return `${acknowledged} postbacks acknowledged, as many recorded; the books audit clean`;
}

export async function assertBooksClean(superuser: Site['superuser']): Promise<void> {
  const differences = await auditBooks(superuser);
  if (differences.length > 0)
    throw new Error(`The books differ in ${differences.length} places: ${JSON.stringify(differences[0])}`);
}
