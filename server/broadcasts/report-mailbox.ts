import { sentence } from '#contract/operator-sentences.ts';
import type { Config } from '#platform/config.ts';
import { takeLease } from '#platform/leases.ts';
import { type Mailbox, MailboxTrouble, withMailbox } from '#platform/mailbox.ts';
import type { Platform } from '#platform/platform.ts';
import { REPORT_CHARACTERS_MAX } from './mail-report.ts';
import { isUseless, takeReport } from './reports.ts';

/**
 * Reads the reports of mail servers in the mailbox of IMAP_URL. A report that says something about a broadcast of this
 * site is applied and marked read; every other mail is left as it is. A report that is applied twice, because a process
 * ended in between, changes nothing the second time.
 */
export type ReportMailboxParts = Pick<Platform, 'database' | 'log' | 'health' | 'secrets'> & {
  config: Pick<Config, 'imapUrl'>;
  /** A turn ends after this time, and the next one goes on; 40 s by default. */
  turnMs?: number;
};

const LEASE = 'bounces';
const TURN_MS_MAX = 40_000;
const REPORTS_MAX = 200;
const REPORT_TYPE = 'multipart/report';

/** Makes the turn of a node. It looks at each mail once, so mails that are left don't hold up those behind them. */
export function createReportTurn(parts: ReportMailboxParts): (closing?: AbortSignal) => Promise<void> {
  let looked: Looked = { numbering: 0n, lastNumber: 0 };
  return async (closing) => {
    const { imapUrl } = parts.config;
    if (imapUrl === null) return;
    const lease = await takeLease(parts, LEASE);
    if (lease === undefined) return;
    const ends = AbortSignal.timeout(parts.turnMs ?? TURN_MS_MAX);
    const signal = closing === undefined ? ends : AbortSignal.any([closing, ends]);
    try {
      await withMailbox(imapUrl, signal, async (mailbox) => {
        if (mailbox.numbering !== looked.numbering) looked = { numbering: mailbox.numbering, lastNumber: 0 };
        await takeReports(parts, mailbox, looked);
      });
      parts.health.report('bounces', undefined);
    } catch (error) {
      if (!(error instanceof MailboxTrouble)) throw error;
      if (closing?.aborted) return;
      const isNews = parts.health.report('bounces', `${sentence('bounces-not-read')} ${error.message}`);
      if (isNews) parts.log.warn({ error }, 'the mailbox of reports could not be read');
    } finally {
      await lease.release();
    }
  };
}

type Looked = { numbering: bigint; lastNumber: number };

async function takeReports(parts: ReportMailboxParts, mailbox: Mailbox, looked: Looked): Promise<void> {
  const { numbers, lastNumber } = await mailbox.listUnread(looked.lastNumber + 1, REPORT_TYPE);
  const taken = numbers.slice(0, REPORTS_MAX);
  for (const number of taken) {
    const outcome = await takeReport(parts, await mailbox.read(number, REPORT_CHARACTERS_MAX));
    if (!isUseless(outcome)) await mailbox.markRead(number);
    looked.lastNumber = number;
    parts.log.info({ outcome }, 'a report about a mail was read');
  }
  if (taken.length === numbers.length) looked.lastNumber = lastNumber;
}
