import type { Platform } from '#platform/platform.ts';
import { repeat } from '#platform/repeat.ts';
import { type SendingParts, sendBroadcasts } from './broadcast-sending.ts';
import { beginTermsBroadcasts } from './broadcasts.ts';

/** The sweeps of broadcasts, on every node: what is due is sent, and the mails about changed terms begin. */
const SENT_EVERY_MS = 1_000;
const TERMS_LOOKED_AT_EVERY_MS = 5_000;

export function startBroadcasts(platform: SendingParts & Pick<Platform, 'health'>): {
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
  ]);
  return {
    close: async () => {
      closing.abort();
      await loops;
    },
  };
}
