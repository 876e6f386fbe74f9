import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { HealthPart } from '#contract/health.ts';
import { readSite } from '#contract/site.ts';
import { useHealthNames } from '#web/admin/kit/health-names.ts';
import { PauseDialog } from '#web/admin/kit/pause-dialog.tsx';
import { RestoreSteps, RestoreWaiting } from '#web/admin/kit/restore-steps.tsx';
import { ServerSentence } from '#web/admin/kit/server-sentence.tsx';
import { usePauseText } from '#web/admin/kit/use-pause-text.ts';
import { formatTimeInFull } from '#web/client/format.ts';
import { useRead } from '#web/client/use-call.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import styles from './health-dialog.module.css';
import { healthPlaceOf } from './health-places.ts';
import type { Place } from './places.ts';

type HealthDialogProps = {
  isOpen: boolean;
  troubles: readonly HealthPart[];
  /** What an operator stopped by choice. */
  stops: readonly HealthPart[];
  places: readonly Place[];
  onClose: () => void;
};

const PAUSED = 'payouts-paused';
const RESTORE = 'restore';

/**
 * What is not well: each part with its plain name and the one that logs, metrics and the operating guide use, and the
 * screen of the part. What an operator stopped is apart, under a heading of its own if there is both, and is resumed
 * here.
 */
export function HealthDialog({ isOpen, troubles, stops, places, onClose }: HealthDialogProps) {
  const { t } = useTranslation();
  const [isResuming, setResuming] = useState(false);
  const isWell = troubles.length === 0;
  const linesOf = (parts: readonly HealthPart[]) => (
    <dl className={styles.troubles}>
      {parts.map((part) => (
        <TroubleLine key={part.name} trouble={part}>
          {part.name === PAUSED && <Resume onResume={() => setResuming(true)} />}
          {part.name === RESTORE && (
            <>
              <RestoreWaiting />
              <RestoreSteps onLeave={onClose} />
            </>
          )}
          <PlaceLink part={part.name} places={places} onPick={onClose} />
        </TroubleLine>
      ))}
    </dl>
  );
  return (
    <>
      <Dialog
        isOpen={isOpen && !isResuming}
        onClose={onClose}
        title={t(isWell ? 'health.paused' : 'health.title')}
        width={560}
      >
        {!isWell && (
          <>
            <p className={styles.text}>{t('health.text')}</p>
            {linesOf(troubles)}
          </>
        )}
        {!isWell && stops.length > 0 && <h3 className={styles.heading}>{t('health.paused')}</h3>}
        {stops.length > 0 && linesOf(stops)}
      </Dialog>
      <PauseDialog isOpen={isOpen && isResuming} onClose={onClose} />
    </>
  );
}

function TroubleLine({
  trouble: { name, trouble, since },
  children,
}: {
  trouble: HealthPart;
  children: React.ReactNode;
}) {
  const { t, i18n } = useTranslation();
  const nameOf = useHealthNames();
  return (
    <div>
      <dt>
        {nameOf(name)} <code className={styles.code}>{name}</code>
      </dt>
      <dd>
        <ServerSentence text={trouble} />
      </dd>
      <dd className={styles.since}>{t('health.since', { time: formatTimeInFull(since, i18n.language) })}</dd>
      <dd className={styles.acts}>{children}</dd>
    </div>
  );
}

/** Who paused the payouts and why, and the way to resume them. */
function Resume({ onResume }: { onResume: () => void }) {
  const { t } = useTranslation();
  const site = useRead(readSite, undefined, { staleTime: 0 });
  const pausedBy = usePauseText(site.data?.pause ?? null);
  if (site.data?.payoutsPaused !== true) return null;
  return (
    <>
      {pausedBy !== undefined && <p>{pausedBy}</p>}
      <Button variant="default" size="sm" onClick={onResume}>
        {t('health.resume')}
      </Button>
    </>
  );
}

type PlaceLinkProps = { part: string; places: readonly Place[]; onPick: () => void };

/** Leads to the screen where an operator sees or mends the part. */
function PlaceLink({ part, places, onPick }: PlaceLinkProps) {
  const { t } = useTranslation();
  const place = places.find(({ name }) => name === healthPlaceOf(part));
  if (place === undefined) return null;
  return (
    <Button
      variant="default"
      size="sm"
      onClick={onPick}
      renderRoot={(props) => <Link {...props} to={place.path} />}
    >
      {t('health.open', { place: place.label })}
    </Button>
  );
}
