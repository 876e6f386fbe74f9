import type { FailedMail, Job } from '#contract/system.ts';
import type { Opened } from './admin-database.ts';
import { print } from './admin-print.ts';
import { commandOfVerbs, decideEach, isRowNumber, misuse, type Words } from './admin-words.ts';
import { readFailedMails, retryMail } from './notices/failed-mails.ts';
import { listJobs, recordRetry } from './system.ts';

/** The commands `jobs` and `mails`: what failed, and the retry, by the rules of the back office. */

const lineOfJob = ({ id, name, state, attempts, attemptsMax, runAt, recipient, error }: Job): string =>
  `${id}: ${name}, ${state}, attempt ${attempts} of ${attemptsMax}, due ${runAt}` +
  `${recipient === null ? '' : `, to ${recipient}`}${error === null ? '' : `. ${error}`}`;

const lineOfMail = ({ id, kind, userId, userEmail, attempts, dueAt, reason }: FailedMail): string =>
  `${id}: ${kind}, ${userId} ${userEmail}, attempts ${attempts}, due ${dueAt ?? 'never'}. ${reason}`;

/** Prints a list that the database bounds. */
const printed =
  <Row>(
    name: string,
    read: (database: Opened['app']) => Promise<Row[]>,
    lineOf: (row: Row) => string,
    none: string,
  ) =>
  async ({ app }: Opened, { positionals: [extra] }: Words): Promise<number> => {
    if (extra !== undefined) return misuse(`${name} list does not take the word "${extra}".`);
    const rows = await read(app);
    for (const row of rows) print(lineOf(row));
    if (rows.length === 0) print(none);
    return 0;
  };

function retryJobs({ app }: Opened, { positionals: numbers }: Words): Promise<number> {
  if (numbers.length === 0 || !numbers.every(isRowNumber))
    return Promise.resolve(misuse('NUMBER is that of a job, as `jobs list` prints it.'));
  return decideEach(numbers, async (number) => {
    const { name } = await recordRetry(app, 'command-line', BigInt(number));
    return `${name} is due now, for one attempt more.`;
  });
}

function retryMails({ app }: Opened, { positionals: ids }: Words): Promise<number> {
  if (ids.length === 0 || !ids.every((id) => /^[1-9]\d{8}\.[1-9]\d{0,17}$/.test(id)))
    return Promise.resolve(misuse('ID is that of a mail, as `mails list` prints it.'));
  return decideEach(ids, async (id) => {
    const { userEmail } = await retryMail(app, 'command-line', id);
    return `the mail to ${userEmail} is due now, for one attempt more.`;
  });
}

/** The command `jobs`: those that failed first, at most 100. */
export const jobs = commandOfVerbs('jobs', {
  list: { run: printed('jobs', listJobs, lineOfJob, 'No job waits.') },
  retry: { run: retryJobs },
});

/** The command `mails`: the newest that were not sent, at most 100. */
export const mails = commandOfVerbs('mails', {
  list: { run: printed('mails', readFailedMails, lineOfMail, 'No mail failed.') },
  retry: { run: retryMails },
});
