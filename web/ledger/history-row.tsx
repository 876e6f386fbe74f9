import {
  IconArrowBackUp,
  IconArrowUpRight,
  IconClipboardText,
  IconCoins,
  IconDeviceGamepad2,
  IconGift,
  IconUsers,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { HistoryEntry } from '#contract/ledger.ts';
import { formatTime } from '#web/client/format.ts';
import { useProviders } from '#web/client/session.ts';
import { Amount } from '#web/ui/amount.tsx';
import rows from '#web/ui/rows.module.css';
import { subjectOf, titleOf } from './describe.ts';
import styles from './history-row.module.css';

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

/** The content of a movement's row, as inline elements, so that a button can contain it. */
export function MovementLine({ entry, isPlain = false }: { entry: HistoryEntry; isPlain?: boolean }) {
  const { t, i18n } = useTranslation();
  const providerOf = useProviders();
  const isOfferwall = entry.provider !== null && providerOf(entry.provider)?.kind === 'offerwall';
  const Icon = isOfferwall ? IconDeviceGamepad2 : icons[entry.kind];
  const why = entry.kind === 'reversal' ? subjectOf(entry, t) : '';
  return (
    <>
      <span className={rows.plate}>
        <Icon size={20} stroke={1.75} aria-hidden="true" />
      </span>
      <span className={styles.words}>
        <span className={rows.title}>{titleOf(entry, t)}</span>
        <span className={rows.meta}>
          <time dateTime={entry.createdAt}>{formatTime(entry.createdAt, i18n.language)}</time>
          {why !== '' && ' · '}
          {why !== '' &&
            (isPlain ? (
              why
            ) : (
              <Link to="/chargeback-history" className="link">
                {why}
              </Link>
            ))}
        </span>
      </span>
      <Amount points={entry.amount} signed />
    </>
  );
}

/** One movement. `isNew` marks a row that arrived after the first load, for a second. */
export function HistoryRow({ entry, isNew = false }: { entry: HistoryEntry; isNew?: boolean }) {
  return (
    <li data-new={isNew || undefined}>
      <MovementLine entry={entry} />
    </li>
  );
}
