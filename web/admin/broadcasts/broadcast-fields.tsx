import { Button, Textarea, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { BROADCAST_CONTENT_MAX, BROADCAST_SUBJECT_MAX } from '#contract/broadcasts.ts';
import { formatPoints } from '#web/client/format.ts';
import { FieldLabel, fieldError } from '#web/ui/field-parts.tsx';
import styles from './broadcasts.module.css';
import { counted } from './counted.ts';
import type { BroadcastForm } from './use-broadcast-form.ts';

const names = {
  en: { line: 'subject', body: 'content' },
  ko: { line: 'subjectKo', body: 'contentKo' },
} as const;

type FieldsProps = { form: BroadcastForm; recipients: number | undefined };

/** Subject and content in both languages, a mail to oneself, and the way to the confirmation. */
export function BroadcastFields({ form, recipients }: FieldsProps) {
  const { t, i18n } = useTranslation();
  const languages = i18n.language === 'ko' ? (['ko', 'en'] as const) : (['en', 'ko'] as const);
  return (
    <form ref={form.ref} className={`card ${styles.form}`} onSubmit={form.submit} noValidate>
      <div className={styles.sides}>
        {languages.map((language) => (
          <TextFields key={language} form={form} language={language} />
        ))}
      </div>
      <div className={styles.buttons}>
        <Button variant="default" loading={form.isTesting} onClick={form.test}>
          {t('broadcast.form.test')}
        </Button>
        <Button type="submit" disabled={recipients === 0}>
          {recipients === undefined
            ? t('broadcast.form.send')
            : t('broadcast.form.sendTo', { people: t('broadcast.people', counted(recipients)) })}
        </Button>
      </div>
    </form>
  );
}

function TextFields({ form, language }: { form: BroadcastForm; language: 'en' | 'ko' }) {
  const { t } = useTranslation();
  const { draft, change, messageOf } = form;
  const { line, body } = names[language];
  const lengthOf = (text: string, max: number) => (
    <span className="num">
      {t('broadcast.form.count', { count: formatPoints([...text].length), max: formatPoints(max) })}
    </span>
  );
  return (
    <div className={styles.texts}>
      <TextInput
        label={
          <FieldLabel
            text={t(`broadcast.form.subject.${language}`)}
            help={lengthOf(draft[line], BROADCAST_SUBJECT_MAX)}
          />
        }
        lang={language}
        value={draft[line]}
        maxLength={BROADCAST_SUBJECT_MAX}
        autoComplete="off"
        error={fieldError(messageOf(line))}
        onChange={(event) => change({ [line]: event.currentTarget.value })}
      />
      <Textarea
        label={
          <FieldLabel
            text={t(`broadcast.form.content.${language}`)}
            help={lengthOf(draft[body], BROADCAST_CONTENT_MAX)}
          />
        }
        lang={language}
        value={draft[body]}
        maxLength={BROADCAST_CONTENT_MAX}
        autosize
        minRows={6}
        maxRows={16}
        error={fieldError(messageOf(body))}
        onChange={(event) => change({ [body]: event.currentTarget.value })}
      />
    </div>
  );
}
