import { useTranslation } from 'react-i18next';
import { requestIdOf } from '#web/client/call.ts';
import { ErrorState } from '#web/ui/error-state.tsx';
import styles from './background.module.css';
import type { ExaminationRead } from './use-examination.ts';

/** How many checks a pending request has. */
const CHECK_COUNT = 13;

type UnreadProps = { read: ExaminationRead; isPending: boolean };

/** In the place of checks, sources and history until they are read, and if they can't be. */
export function UnreadBackground({ read, isPending }: UnreadProps) {
  const { t } = useTranslation();
  if (!read.isError)
    return (
      <div role="status" aria-busy="true">
        <span className="visually-hidden">{t('common.loading')}</span>
        <Shapes isPending={isPending} />
      </div>
    );
  return (
    <div className={styles.failed}>
      <ErrorState
        title={t('queue.background.unread')}
        text={t(`refusals.${read.error.code}`)}
        requestId={requestIdOf(read.error)}
        onRetry={() => void read.refetch()}
      />
    </div>
  );
}

const LongBar = () => <span className={styles.unread} data-size="long" />;

/** Two lines about the destination, and the checks, which only a pending request has. */
function Shapes({ isPending }: { isPending: boolean }) {
  const { t } = useTranslation();
  return (
    <div aria-hidden="true">
      <ul className={styles.lines}>
        <li>
          <LongBar />
        </li>
        <li>
          <LongBar />
        </li>
      </ul>
      {isPending && (
        <>
          <h3 className={styles.heading}>{t('queue.background.checks')}</h3>
          <ul className={styles.checks}>
            {Array.from({ length: CHECK_COUNT }, (_, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the lines are equal and never move.
              <li key={index}>
                <span className={styles.unread} data-size="sign" />
                <div>
                  <LongBar />
                </div>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
