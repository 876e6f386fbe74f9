import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Message } from '#contract/message.ts';
import { formatClock } from '#web/client/format.ts';
import { useLanguage } from '#web/client/use-language.ts';

/** More new messages than this within the time are only counted. */
const READ_MAX = 5;
const WITHIN_MS = 10_000;

/**
 * What a screen reader says of messages that arrive: name, text and time, or their number when they are many. Older
 * ones that are loaded are not said.
 */
export function useAnnouncement(
  messages: readonly Message[],
  isOthers: (message: Message) => boolean,
): string {
  const { t } = useTranslation();
  const language = useLanguage();
  const [said, setSaid] = useState('');
  const lastSeq = useRef<number | null>(null);
  const times = useRef<number[]>([]);
  useEffect(() => {
    const before = lastSeq.current;
    const newest = messages.at(-1)?.seq;
    if (newest === undefined || (before !== null && newest <= before)) return;
    lastSeq.current = newest;
    if (before === null) return;
    const fresh = messages.filter((message) => message.seq > before && isOthers(message));
    if (fresh.length === 0) return;
    const now = Date.now();
    times.current = [...times.current.filter((at) => at > now - WITHIN_MS), ...fresh.map(() => now)];
    if (times.current.length > READ_MAX) {
      setSaid(t('chat.new', { count: times.current.length }));
      return;
    }
    const texts = fresh.map(
      ({ user, message, createdAt }) => `${user.firstName}: ${message}, ${formatClock(createdAt, language)}`,
    );
    setSaid(texts.join('. '));
  }, [messages, isOthers, t, language]);
  return said;
}
