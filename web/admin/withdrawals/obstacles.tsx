import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import type { ExaminedWithdrawal } from '#contract/withdrawals-decisions.ts';
import { formatTime } from '#web/client/format.ts';
import { Banner } from './banner.tsx';
import { RestoreOpener, TroubleSentence } from './held-points.tsx';
import { capText } from './refusal-text.ts';

/** What the server says of a pending request now: undefined while it is fetched, and if the fetch failed. */
export type Examination = { examined: ExaminedWithdrawal | undefined; isFailed: boolean };

type Obstacle = {
  title: string;
  text: ReactNode;
  /** In the server's words. */
  trouble?: string;
};

/** Why this operator can't approve the request now; undefined if nothing stands against it. */
export function findObstacle(
  { examined, isFailed }: Examination,
  t: TFunction,
  language: string,
): Obstacle | undefined {
  if (isFailed) {
    return { title: t('queue.sheet.noQuote'), text: t('queue.sheet.unread') };
  }
  if (examined === undefined) return undefined;
  const { trouble, holdUntil, obstacle } = examined;
  if (obstacle?.code === 'second-operator-needed') {
    return { title: t('queue.flags.first-approved'), text: t('queue.sheet.firstGiven') };
  }
  if (obstacle?.cap) {
    return { title: t('queue.flags.over-cap'), text: capText(obstacle.cap, t, language) };
  }
  if (trouble !== null) {
    return { title: t('queue.sheet.noQuote'), text: <TroubleSentence text={trouble} />, trouble };
  }
  if (holdUntil === null) return undefined;
  const time = formatTime(holdUntil, language);
  return { title: t('queue.sheet.held'), text: t('queue.sheet.heldText', { time }) };
}

/** The obstacle in a sentence, once: where the request is decided. */
export function ObstacleBanner({ obstacle }: { obstacle: Obstacle }) {
  return (
    <Banner title={obstacle.title}>
      <p>{obstacle.text}</p>
      {obstacle.trouble !== undefined && <RestoreOpener text={obstacle.trouble} />}
    </Banner>
  );
}
