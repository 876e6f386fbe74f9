import type { TFunction } from 'i18next';
import type { HistoryEntry } from '#contract/ledger.ts';

/** The fields of a movement that its description needs. */
export type DescribedEntry = Pick<HistoryEntry, 'kind' | 'sourceName' | 'subject' | 'isScreenOut'>;

/** The subject of a movement in the reader's language; empty if the title is enough. */
export function subjectOf({ kind, sourceName, subject, isScreenOut }: DescribedEntry, t: TFunction): string {
  switch (kind) {
    case 'earning':
      return subject || t(isScreenOut ? 'history.screenedOut' : 'history.completed');
    case 'reversal':
      return subject || t('history.policyViolation');
    case 'bonus':
      return t('history.bonusDay', { day: subject });
    case 'referral':
      return t('history.friend', { number: subject });
    case 'coinflip-stake':
    case 'coinflip-prize':
      return t(subject === 'heads' ? 'history.heads' : 'history.tails');
    case 'grant':
      return subject;
    case 'withdrawal':
    case 'withdrawal-return':
      return t(`methods.${subject}`, { defaultValue: sourceName ?? subject });
  }
}

/** The title of a movement in the reader's language. */
export function titleOf(entry: DescribedEntry, t: TFunction): string {
  const { kind, sourceName } = entry;
  if (kind === 'reversal') return t('history.takenBack', { provider: sourceName ?? t('history.operator') });
  const subject = subjectOf(entry, t);
  const named = kind === 'earning' ? (sourceName ?? '') : t(`history.kinds.${kind}`);
  return subject === '' ? named : `${named} · ${subject}`;
}
