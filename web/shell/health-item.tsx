import { ActionIcon } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconAlertTriangle, IconPlayerPause } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { readHealth } from '#contract/health.ts';
import { formatPoints } from '#web/client/format.ts';
import { useRead } from '#web/client/use-call.ts';
import { withWords } from '#web/client/words.ts';
import styles from './health-item.module.css';
import { OperatorItem } from './operator-item.tsx';
import { useOperatorPlaces } from './use-operator-places.ts';

const POLL_MS = 30_000;

const HealthDialog = lazy(() =>
  withWords(import('#web/admin/panel/health-dialog.tsx'), 'admin/kit', 'admin/panel').then((file) => ({
    default: file.HealthDialog,
  })),
);

/** What is not well on the server and what is stopped, and its dialog, which is loaded when it is first opened. */
function useHealth() {
  const [isOpen, { open, close }] = useDisclosure(false);
  const { data } = useRead(readHealth, undefined, { refetchInterval: POLL_MS });
  const [troubles, stops] = [data?.troubles ?? [], data?.stops ?? []];
  const places = useOperatorPlaces();
  const dialog = isOpen && (
    <Suspense fallback={null}>
      <HealthDialog isOpen troubles={troubles} stops={stops} places={places} onClose={close} />
    </Suspense>
  );
  return { count: troubles.length, isPaused: stops.length > 0, open, dialog };
}

/**
 * What is not well on the server, as an item of the operators' rail, which is there only while something is not well. A
 * pause is an item of its own, because nothing is wrong then.
 */
export function HealthItem() {
  const { t } = useTranslation();
  const { count, isPaused, open, dialog } = useHealth();
  return (
    <>
      {count > 0 && (
        <button type="button" onClick={open}>
          <OperatorItem icon={IconAlertTriangle} label={t('panel.health')} count={formatPoints(count)} />
        </button>
      )}
      {isPaused && (
        <button type="button" onClick={open}>
          <OperatorItem icon={IconPlayerPause} label={t('panel.paused')} />
        </button>
      )}
      {(count > 0 || isPaused) && dialog}
    </>
  );
}

/** The same in the bar of a phone, whose rail is a closed menu. Its place is left free while all is well. */
export function HealthSign() {
  const { t } = useTranslation();
  const { count, isPaused, open, dialog } = useHealth();
  return (
    <>
      <span role="status" className={styles.sign}>
        {count === 0 && isPaused && (
          <ActionIcon size={44} onClick={open} className={styles.paused ?? ''}>
            <IconPlayerPause size={20} stroke={1.75} aria-hidden="true" />
            <span className="visually-hidden">{t('panel.paused')}</span>
          </ActionIcon>
        )}
        {count > 0 && (
          <ActionIcon size={44} onClick={open} className={styles.button ?? ''}>
            <IconAlertTriangle size={20} stroke={1.75} aria-hidden="true" />
            <span className="visually-hidden">{t('panel.health')}</span>{' '}
            <b className="num">{formatPoints(count)}</b>
          </ActionIcon>
        )}
      </span>
      {(count > 0 || isPaused) && dialog}
    </>
  );
}
