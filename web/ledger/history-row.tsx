import {
  IconArrowBackUp,
  IconArrowUpRight,
  IconClipboardText,
  IconCoins,
  IconDeviceGamepad2,
  IconGift,
  IconUsers,
} from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { HistoryEntry } from '#contract/ledger.ts';
import en from '#web/i18n/en.json';
import { Amount } from '#web/ui/amount.tsx';
import { formatTime } from '#web/ui/format.ts';
import rows from '#web/ui/rows.module.css';
import { splitDescription } from './describe.ts';

const icons = {
  earning: IconClipboardText,
  reversal: IconArrowBackUp,
  bonus: IconGift,
  referral: IconUsers,
  'coinflip-stake': IconCoins,
  'coinflip-prize': IconCoins,
  grant: IconGift,
  withdrawal: IconArrowUpRight,
  'withdrawal-return': IconArrowBackUp,
} as const;

const offerWalls = new Set(['kiwiwall', 'wannads', 'adgem', 'ayetstudios']);

type KnownSubject = keyof (typeof en)['history']['subjects'];
const isKnown = (subject: string): subject is KnownSubject => subject in en.history.subjects;

/** What the row is, in the reader's language: the server's description is English. */
function wordsFor(entry: HistoryEntry, t: TFunction): { title: string; extra: string } {
  const { provider, subject: named } = splitDescription(entry);
  const subject = isKnown(named) ? t(`history.subjects.${named}`) : named;
  if (entry.kind === 'earning') {
    return { title: subject === '' ? provider : `${provider} · ${subject}`, extra: '' };
  }
  if (entry.kind === 'reversal') return { title: t('history.takenBack', { provider }), extra: subject };
  const kind = t(`history.kinds.${entry.kind}`);
  const [, number] = /^(?:day|friend) (\d+)$/.exec(named) ?? [];
  if (entry.kind === 'bonus' && number !== undefined)
    return { title: `${kind} · ${t('bonus.historyDay', { day: number })}`, extra: '' };
  if (entry.kind === 'referral' && number !== undefined)
    return { title: `${kind} · ${t('referrals.historyFriend', { number })}`, extra: '' };
  return { title: subject === '' ? kind : `${kind} · ${subject}`, extra: '' };
}

/** One movement, explaining itself. `isNew` marks for a second one that came while somebody was looking. */
export function HistoryRow({ entry, isNew = false }: { entry: HistoryEntry; isNew?: boolean }) {
  const { t, i18n } = useTranslation();
  const Icon =
    entry.provider !== null && offerWalls.has(entry.provider) ? IconDeviceGamepad2 : icons[entry.kind];
  const { title, extra } = wordsFor(entry, t);
  return (
    <li data-new={isNew || undefined}>
      <span className={rows.plate}>
        <Icon size={20} stroke={1.75} aria-hidden="true" />
      </span>
      <div>
        <p className={rows.title}>{title}</p>
        <p className={rows.meta}>
          <time dateTime={entry.createdAt}>{formatTime(entry.createdAt, i18n.language)}</time>
          {extra !== '' && ` · ${extra}`}
        </p>
      </div>
      <Amount points={entry.amount} signed />
    </li>
  );
}
