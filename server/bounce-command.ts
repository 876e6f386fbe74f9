import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import type { Opened } from './admin-database.ts';
import { print } from './admin-print.ts';
import { decideEach, misuse, refuse, type Words } from './admin-words.ts';
import { forgetBounces } from './broadcasts/broadcasts.ts';
import { isUseless, type ReportOutcome, takeReport } from './broadcasts/reports.ts';
import { findAccount } from './members/members.ts';
import { secretsOf } from './platform/secrets.ts';

/** The command `bounce`: reads reports of mail servers about mails of broadcasts, and forgets what they said. */

const sentences: Record<ReportOutcome, string> = {
  complaint: 'a complaint. The member gets no broadcasts any more.',
  bounce: 'the address does not exist. After two such answers it gets no broadcasts any more.',
  failed: 'the mail was not delivered. The broadcast counts it as failed.',
  known: 'that this mail failed was known.',
  'no-report': 'no report about a failed delivery or a complaint.',
  'not-ours': 'a report about no mail of a broadcast of this site.',
};
/**
 * A mail server that hands each mail to the command answers the sender of an ordinary mail for each exit code but 0,
 * and hands the mail over again after `EX_TEMPFAIL` of sysexits.h.
 */
const FROM_MAIL_SERVER = '/dev/stdin';
export const TRY_AGAIN = 75;

export async function bounce(
  opened: Opened,
  { positionals: files, options: { forget } }: Words,
): Promise<number> {
  const { app, config } = opened;
  if (forget !== undefined)
    return files.length > 0 ? misuse('--forget takes no FILE.') : forgetAt(opened, forget);
  if (files.length === 0) return misuse('FILE is a mail of a mail server, as a file.');
  const secrets = secretsOf(config);
  let exitCode = 0;
  for (const file of files) {
    let raw: string;
    try {
      raw = await readMail(file);
    } catch (error) {
      refuse(`${file} can't be read: ${(error as Error).message}`);
      return file === FROM_MAIL_SERVER ? TRY_AGAIN : 1;
    }
    const outcome = await takeReport({ database: app, secrets }, raw);
    print(`${file}: ${sentences[outcome]}`);
    if (isUseless(outcome) && file !== FROM_MAIL_SERVER) exitCode = 1;
  }
  return exitCode;
}

async function forgetAt({ app }: Opened, address: string): Promise<number> {
  const account = address.includes('@') ? await findAccount(app, address) : undefined;
  if (account === undefined) return refuse(`There is no member ${address}.`);
  return decideEach([account.email], async () => {
    const count = await forgetBounces({ database: app }, account);
    return `${count} bounces forgotten. Broadcasts go to it again.`;
  });
}

/** The name of the input would be opened anew, which a pipe of another user or a socket does not allow. */
const readMail = async (file: string): Promise<string> =>
  file === FROM_MAIL_SERVER ? (await buffer(process.stdin)).toString('latin1') : readFile(file, 'latin1');
