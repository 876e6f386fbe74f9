import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import styles from './request-dialog.module.css';
import type { Answer } from './use-answers.ts';

type RequestAnswersProps = {
  answers: readonly Answer[];
  /** Nothing has to be sent. */
  onAnswered: () => void;
  /** The member writes. */
  onWrite: () => void;
};

/** Answers from the record, above the form. The first one is open. */
export function RequestAnswers({ answers, onAnswered, onWrite }: RequestAnswersProps) {
  const { t } = useTranslation();
  if (answers.length === 0) return null;
  return (
    <section aria-label={t('support.answers.title')}>
      <div className={styles.answers}>
        {answers.map(({ question, text, to }, index) => (
          <details key={question} open={index === 0}>
            <summary>{question}</summary>
            <p dir="auto">
              {text}{' '}
              {to !== undefined && (
                <Link className="link" to={`/${to}`} onClick={onAnswered}>
                  {t(`support.answers.see.${to}`)}
                </Link>
              )}
            </p>
          </details>
        ))}
      </div>
      <div className={styles.answered}>
        <p>{t('support.answers.did')}</p>
        <Button variant="default" size="sm" onClick={onAnswered}>
          {t('support.answers.yes')}
        </Button>
        <Button variant="subtle" size="sm" onClick={onWrite}>
          {t('support.answers.no')}
        </Button>
      </div>
    </section>
  );
}
