import { useTranslation } from 'react-i18next';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { readHealth } from '#contract/health.ts';
import { useHealthNames } from '#web/admin/kit/health-names.ts';
import { ServerSentence } from '#web/admin/kit/server-sentence.tsx';
import { formatTimeInFull } from '#web/client/format.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import styles from './health-dialog.module.css';

type Troubles = ReplyOf<typeof readHealth>['troubles'];
type HealthDialogProps = { isOpen: boolean; troubles: Troubles; onClose: () => void };

/** What is not well: each part with its plain name and the one that logs, metrics and the operating guide use. */
export function HealthDialog({ isOpen, troubles, onClose }: HealthDialogProps) {
  const { t, i18n } = useTranslation();
  const nameOf = useHealthNames();
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t('health.title')} width={560}>
      <p className={styles.text}>{t('health.text')}</p>
      <dl className={styles.troubles}>
        {troubles.map(({ name, trouble, since }) => (
          <div key={name}>
            <dt>
              {nameOf(name)} <code className={styles.code}>{name}</code>
            </dt>
            <dd>
              <ServerSentence text={trouble} />
            </dd>
            <dd className={styles.since}>
              {t('health.since', { time: formatTimeInFull(since, i18n.language) })}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
