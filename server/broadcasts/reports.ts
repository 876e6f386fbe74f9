import type { Database } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { findMailReader, setNews } from '../members/members.ts';
import { mailNamedBy, mailNamedByAddress } from './broadcast-mails.ts';
import { readMailReport } from './mail-report.ts';
import { noteBounce, noteReport } from './sending-queries.ts';

/**
 * What follows from a report about a mail of a broadcast, which names the mail by its signed Message-ID or by the
 * signed address to which the report came. A complaint ends broadcasts to the member. A failed delivery is noted at the
 * mail, once; one because the address does not exist counts as a bounce of the member's address, if it is the address
 * that failed.
 */
export type ReportOutcome = 'complaint' | 'bounce' | 'failed' | 'known' | 'no-report' | 'not-ours';

/** Whether a mail said nothing about a mail of this site. */
export const isUseless = (outcome: ReportOutcome): boolean =>
  outcome === 'no-report' || outcome === 'not-ours';

export async function takeReport(
  { database, secrets }: Pick<Platform, 'secrets'> & { database: Database },
  raw: string,
): Promise<ReportOutcome> {
  const report = readMailReport(raw);
  if (report === undefined) return 'no-report';
  const mail =
    mailNamedBy({ secrets }, report.messageId ?? '') ??
    mailNamedByAddress({ secrets }, report.addresses.join('\n'));
  if (mail === undefined) return 'not-ours';
  if (report.kind === 'complaint') {
    await setNews(database, mail.memberId, false);
    return 'complaint';
  }
  return database.transaction(async (tx) => {
    if (!(await noteReport(tx, mail, report.reason))) return 'known';
    if (report.reason !== 'no-address') return 'failed';
    const reader = await findMailReader(tx, mail.memberId);
    if (reader?.email !== report.recipient) return 'failed';
    await noteBounce(tx, reader.email);
    return 'bounce';
  });
}
