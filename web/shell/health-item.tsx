import { useDisclosure } from '@mantine/hooks';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { readHealth } from '#contract/health.ts';
import { formatPoints, formatTimeInFull } from '#web/client/format.ts';
import { useRead } from '#web/client/use-call.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import styles from './health-item.module.css';
import { OperatorItem } from './operator-item.tsx';

const POLL_MS = 30_000;

/** What is not well on the server, as an item of the operators' rail. It is there only while something is not well. */
export function HealthItem() {
  const { t, i18n } = useTranslation();
  const [isOpen, { open, close }] = useDisclosure(false);
  const troubles = useRead(readHealth, undefined, { refetchInterval: POLL_MS }).data?.troubles ?? [];
  if (troubles.length === 0) return null;
  return (
    <>
      <button type="button" onClick={open}>
        <OperatorItem
          icon={IconAlertTriangle}
          label={t('panel.health')}
          count={formatPoints(troubles.length)}
        />
      </button>
      <Dialog isOpen={isOpen} onClose={close} title={t('panel.health')} width={560}>
        <p className={styles.text}>{t('panel.healthText')}</p>
        <dl className={styles.troubles}>
          {troubles.map(({ name, trouble, since }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd lang="en">{trouble}</dd>
              <dd className={styles.since}>
                {t('panel.healthSince', { time: formatTimeInFull(since, i18n.language) })}
              </dd>
            </div>
          ))}
        </dl>
      </Dialog>
    </>
  );
}
