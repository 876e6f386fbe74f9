import { Button, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { appealDecision } from '#contract/decisions.ts';
import { formatPoints } from '#web/client/format.ts';
import { useAct } from '#web/client/use-call.ts';
import { FieldLabel, fieldError } from '#web/ui/field-parts.tsx';
import { toast } from '#web/ui/toast.tsx';
import styles from './appeal-part.module.css';

/** The most characters that the server takes. */
const TEXT_MAX = 2_000;

/** The form of the one appeal. A text that was not sent stays. */
export function AppealForm({ id }: { id: string }) {
  const { t } = useTranslation();
  const appealing = useAct(appealDecision);
  const [text, setText] = useState('');
  const isBlank = text.trim() === '';
  const send = () =>
    appealing.mutate(
      { params: { id }, body: { text: text.trim() } },
      { onSuccess: () => toast.ok(t('decisions.appeal.sent')) },
    );
  return (
    <form
      className={styles.part}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBlank && !appealing.isPending) send();
      }}
    >
      <h3>{t('decisions.appeal.title')}</h3>
      <p className={`dim small ${styles.once}`}>{t('decisions.appeal.once')}</p>
      <Textarea
        label={
          <FieldLabel
            text={t('decisions.appeal.label')}
            help={t('decisions.appeal.count', {
              count: formatPoints(text.length),
              most: formatPoints(TEXT_MAX),
            })}
          />
        }
        placeholder={t('decisions.appeal.example')}
        rows={4}
        maxLength={TEXT_MAX}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {appealing.isError && (
        <p className={styles.failed} role="alert">
          {fieldError(`${t('decisions.appeal.failed')}. ${t(`refusals.${appealing.error.code}`)}`)}
        </p>
      )}
      <div className={styles.send}>
        <Button type="submit" disabled={isBlank} loading={appealing.isPending}>
          {t('decisions.appeal.send')}
        </Button>
        <p className="dim small">{t('decisions.appeal.stays')}</p>
      </div>
    </form>
  );
}
