import type { Platform } from '#platform/platform.ts';
import { repeat } from '#platform/repeat.ts';
import { type SendingParts, sendBroadcasts } from './broadcast-sending.ts';
import { beginTermsBroadcasts } from './broadcasts.ts';
import { createReportTurn, type ReportMailboxParts } from './report-mailbox.ts';

/**
 * The sweeps of broadcasts, on every node: what is due is sent, the mails about changed terms begin, and reports are
 * read.
 */
const SENT_EVERY_MS = 1_000;
const TERMS_LOOKED_AT_EVERY_MS = 5_000;
const REPORTS_READ_EVERY_MS = 3 * 60_000;

export function startBroadcasts(platform: SendingParts & ReportMailboxParts & Pick<Platform, 'health'>): {
  close(): Promise<void>;
} {
  const closing = new AbortController();
  const { signal } = closing;
  const loops = Promise.all([
    repeat(platform, signal, {
      name: 'broadcasts',
      everyMs: SENT_EVERY_MS,
      work: (turn) => sendBroadcasts(platform, turn),
    }),
    repeat(platform, signal, {
      name: 'terms-broadcasts',
      everyMs: TERMS_LOOKED_AT_EVERY_MS,
      work: () => beginTermsBroadcasts(platform),
    }),
    repeat(platform, signal, {
      name: 'bounces',
      everyMs: REPORTS_READ_EVERY_MS,
      work: createReportTurn(platform),
    }),
  ]);
  return {
    close: async () => {
      closing.abort();
      await loops;
    },
  };
}
