import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ExaminedWithdrawal } from '#contract/withdrawals-decisions.ts';
import { formatTime } from '#web/client/format.ts';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { Banner, ServerSentence } from './banner.tsx';
import { capText } from './refusal-text.ts';

/** What the server says of a pending request now: undefined while it is fetched, and if the fetch failed. */
export type Examination = { examined: ExaminedWithdrawal | undefined; isFailed: boolean };

type Obstacle = {
  tone: 'warn' | 'bad';
  /** In the badge and as the title of the banner. */
  title: string;
  text: ReactNode;
  /** Beside the button that it disables. */
  fine: ReactNode;
};

/** Why this operator can't approve the request now; undefined if nothing stands against it. */
export function findObstacle(
  { examined, isFailed }: Examination,
  t: TFunction,
  language: string,
): Obstacle | undefined {
  if (isFailed) {
    const text = t('queue.sheet.unread');
    return { tone: 'bad', title: t('queue.sheet.noQuote'), text, fine: text };
  }
  if (examined === undefined) return undefined;
  const { trouble, holdUntil, obstacle } = examined;
  if (obstacle?.code === 'second-operator-needed') {
    const text = t('queue.sheet.firstGiven');
    return { tone: 'warn', title: t('queue.flags.first-approved'), text, fine: text };
  }
  if (obstacle?.cap) {
    const text = capText(obstacle.cap, t, language);
    return { tone: 'bad', title: t('queue.flags.capped'), text, fine: text };
  }
  if (trouble !== null) {
    const title = t('queue.sheet.noQuote');
    const text = <ServerSentence text={trouble} />;
    return {
      tone: 'bad',
      title,
      text,
      fine: (
        <>
          {title}: {text}
        </>
      ),
    };
  }
  if (holdUntil === null) return undefined;
  const time = formatTime(holdUntil, language);
  return {
    tone: 'warn',
    title: t('queue.sheet.held'),
    text: t('queue.sheet.heldText', { time }),
    fine: t('queue.sheet.heldFine', { time }),
  };
}

/** The obstacle in a word, beside the state of the request. */
export function ObstacleBadge({ examination }: { examination: Examination }) {
  const { t, i18n } = useTranslation();
  const obstacle = findObstacle(examination, t, i18n.language);
  return obstacle === undefined ? null : <StatusBadge tone={obstacle.tone}>{obstacle.title}</StatusBadge>;
}

/** The obstacle in a sentence. */
export function ObstacleBanner({ examination }: { examination: Examination }) {
  const { t, i18n } = useTranslation();
  const obstacle = findObstacle(examination, t, i18n.language);
  if (obstacle === undefined) return null;
  return (
    <Banner title={obstacle.title}>
      <p>{obstacle.text}</p>
    </Banner>
  );
}
