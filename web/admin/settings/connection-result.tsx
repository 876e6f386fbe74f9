import { IconCheck, IconX } from '@tabler/icons-react';
import type { ParseKeys } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { ConnectionStep } from '#contract/connection.ts';
import { ServerSentence } from '#web/admin/kit/server-sentence.tsx';
import styles from './settings.module.css';

type ConnectionResultProps = { steps: readonly ConnectionStep[] | null; untested: string };

function useStepWord() {
  const { t, i18n } = useTranslation();
  return (name: string) => {
    const key = `connection.steps.${name}`;
    return i18n.exists(key) ? String(t(key as ParseKeys)) : name;
  };
}

/** What a test found, in one line beside its button: that everything works, or the first step that failed. */
export function ConnectionOutcome({ steps }: { steps: readonly ConnectionStep[] }) {
  const { t } = useTranslation();
  const wordOf = useStepWord();
  const failed = steps.find(({ ok }) => !ok);
  if (failed === undefined) return t('connection.tested');
  return (
    <span className={styles.wrong}>
      {wordOf(failed.name)}: <ServerSentence text={failed.text} />
    </span>
  );
}

/** The steps of a test of the connection. The one that failed says what is wrong. */
export function ConnectionResult({ steps, untested }: ConnectionResultProps) {
  const { t } = useTranslation();
  const wordOf = useStepWord();
  const isWell = steps?.every(({ ok }) => ok) ?? false;
  return (
    <section className={styles.result} aria-labelledby="connection-title" aria-live="polite">
      <div className={styles.resultHead}>
        <h3 id="connection-title">{t('connection.title')}</h3>
        {steps !== null && (
          <span className={isWell ? styles.well : styles.wrong}>
            {t(isWell ? 'connection.well' : 'connection.wrong')}
          </span>
        )}
      </div>
      {steps === null ? (
        <p className={styles.help}>{untested}</p>
      ) : (
        <ol className={styles.steps}>
          {steps.map(({ name, ok, text }) => (
            <li key={name} data-failed={!ok || undefined}>
              {ok ? (
                <IconCheck size={18} stroke={2} aria-label={t('connection.ok')} />
              ) : (
                <IconX size={18} stroke={2} aria-label={t('connection.notOk')} />
              )}
              <div>
                <p className={styles.step}>{wordOf(name)}</p>
                <p>
                  <ServerSentence text={text} />
                </p>
              </div>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
