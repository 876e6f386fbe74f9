import { Button } from '@mantine/core';
import { IconAlertTriangle, IconChevronDown } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { CLAIM_ANSWER_DAYS, type Claim } from '#contract/claims.ts';
import { formatAmount, formatDay, formatTime } from '#web/client/format.ts';
import { useProviders } from '#web/client/session.ts';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import styles from './claim-card.module.css';
import { answerDayOf, isLate } from './claim-days.ts';

const tones = { filed: 'wait', asked: 'wait', booked: 'ok', refused: 'bad' } as const;

type ClaimProps = { claim: Claim; now: number; onProof: () => void };

/** One claim: what it is about, its clock, and its steps. That we are late is said first. */
export function ClaimCard({ claim, now, onProof }: ClaimProps) {
  const { t, i18n } = useTranslation();
  const provider = useProviders()(claim.provider)?.name ?? claim.provider;
  const openedAt = formatDay(claim.openedAt, i18n.language);
  return (
    <li className={styles.card}>
      <div className={styles.head}>
        <h3>{t('claims.openedOn', { provider, time: openedAt })}</h3>
        <StatusBadge tone={tones[claim.state]}>{t(`claims.state.${claim.state}`)}</StatusBadge>
      </div>
      <Course claim={claim} now={now} onProof={onProof} provider={provider} />
    </li>
  );
}

/** The same in the narrow panel: a closed row, so that the requests below it stay in sight. */
export function ClaimRow({ claim, now, onProof }: ClaimProps) {
  const { t, i18n } = useTranslation();
  const provider = useProviders()(claim.provider)?.name ?? claim.provider;
  return (
    <li>
      <details className={styles.row}>
        <summary>
          <b>{t('claims.about', { provider })}</b>
          <StatusBadge tone={tones[claim.state]}>{t(`claims.state.${claim.state}`)}</StatusBadge>
          <span>{clockOf(claim, now, i18n.language, t)}</span>
          <IconChevronDown size={16} stroke={1.75} aria-hidden="true" />
        </summary>
        <Course claim={claim} now={now} onProof={onProof} provider={provider} />
      </details>
    </li>
  );
}

/** A claim’s clock in a few words: late, the day of the answer, or the day of the next step or of the decision. */
function clockOf(claim: Claim, now: number, language: string, t: TFunction): string {
  if (claim.decidedAt !== null) return formatDay(claim.decidedAt, language);
  if (isLate(claim, now)) return t('claims.late');
  const day = answerDayOf(claim, now);
  if (day === null) return t('claims.by', { time: formatDay(claim.dueAt, language) });
  const days = CLAIM_ANSWER_DAYS;
  return day > days ? t('claims.over', { days }) : t('claims.dayLabel', { day, days });
}

/** The clock and the steps. */
function Course({ claim, now, onProof, provider }: ClaimProps & { provider: string }) {
  const { t, i18n } = useTranslation();
  return (
    <>
      {isLate(claim, now) && (
        <p className={styles.late}>
          <IconAlertTriangle size={20} stroke={1.75} aria-hidden="true" />
          <span>
            <b>{t('claims.late')}</b> {t('claims.lateText', { time: formatTime(claim.dueAt, i18n.language) })}
          </span>
        </p>
      )}
      <Days claim={claim} now={now} />
      <ol className={styles.track} aria-label={t('claims.steps')}>
        {stepsOf(claim, provider, i18n.language, t).map(({ label, time, written, note, state }) => (
          <li key={label} data-state={state} aria-current={state === 'now' ? 'step' : undefined}>
            <b>{label}</b>
            {time !== '' && <span className={styles.time}>{time}</span>}
            {written !== undefined && <p dir="auto">{written}</p>}
            {note !== '' && <p dir="auto">{note}</p>}
          </li>
        ))}
      </ol>
      {claim.state === 'refused' && (
        <Button className={styles.proof} size="sm" variant="default" onClick={onProof}>
          {t('claims.proof')}
        </Button>
      )}
    </>
  );
}

/** Day n of 7, as a figure and as bars. */
function Days({ claim, now }: { claim: Claim; now: number }) {
  const { t } = useTranslation();
  const day = answerDayOf(claim, now);
  if (day === null) return null;
  const days = CLAIM_ANSWER_DAYS;
  if (day > days) return <p className={styles.over}>{t('claims.over', { days })}</p>;
  const places = Array.from({ length: days }, (_, index) => index + 1);
  return (
    <>
      <p className={`num ${styles.clock}`}>
        <b>{t('claims.day', { day })}</b> <span>{t('claims.ofDays', { days })}</span>
      </p>
      <div className={styles.days} role="img" aria-label={t('claims.dayLabel', { day, days })}>
        {places.map((place) => (
          <i key={place} data-state={place < day ? 'done' : place === day ? 'now' : 'later'} />
        ))}
      </div>
    </>
  );
}

type Step = {
  label: string;
  time: string;
  /** What the member or an operator wrote. It may end without a full stop, so nothing follows it in its line. */
  written?: string;
  note: string;
  state: 'done' | 'now' | 'later';
};

/** What happened with the claim, what happens now and by when, and how it ends. */
function stepsOf(claim: Claim, provider: string, language: string, t: TFunction): Step[] {
  const day = (iso: string | null) => (iso === null ? '' : formatDay(iso, language));
  const by = (iso: string | null) => (iso === null ? '' : t('claims.by', { time: day(iso) }));
  const { state, statedPoints, askedAt, answerBy } = claim;
  const stated = statedPoints === null ? '' : t('claims.statedText', { amount: formatAmount(statedPoints) });
  const filed: Step = {
    label: t('claims.filed'),
    time: day(claim.filedAt),
    written: claim.text,
    note: `${t('claims.filedText', { time: formatTime(claim.openedAt, language) })} ${stated}`.trim(),
    state: 'done',
  };
  const asked: Step = { label: t('claims.asked', { provider }), time: day(askedAt), note: '', state: 'done' };
  if (state === 'booked' || state === 'refused')
    return [filed, ...(askedAt === null ? [] : [asked]), endOf(claim, day(claim.decidedAt), t)];
  const answer = {
    label: t('claims.answer'),
    time: by(answerBy),
    note: t('claims.answerText', { days: CLAIM_ANSWER_DAYS }),
  };
  const decision = answerBy === null ? null : claim.dueAt;
  const end: Step = {
    label: t('claims.end'),
    time: '',
    note: decision === null ? '' : t('claims.endText', { time: day(answerBy), decision: day(decision) }),
    state: 'later',
  };
  if (state === 'asked') return [filed, asked, { ...answer, state: 'now' }, end];
  return [
    filed,
    { label: t('claims.ask', { provider }), time: by(claim.dueAt), note: '', state: 'now' },
    { ...answer, state: 'later' },
    end,
  ];
}

function endOf({ state, amount, reason }: Claim, time: string, t: TFunction): Step {
  return state === 'booked'
    ? {
        label: t('claims.booked', { amount: formatAmount(amount) }),
        time,
        note: t('claims.bookedText'),
        state: 'done',
      }
    : {
        label: t('claims.refused'),
        time,
        ...(reason !== null && { written: reason }),
        note: t('claims.refusedText'),
        state: 'done',
      };
}
