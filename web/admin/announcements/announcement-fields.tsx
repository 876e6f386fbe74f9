import { Checkbox, SegmentedControl, Textarea, TextInput } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { ANNOUNCEMENT_CONTENT_MAX, ANNOUNCEMENT_TITLE_MAX } from '#contract/announcements.ts';
import { formatPoints } from '#web/client/format.ts';
import { FieldLabel, fieldError } from '#web/ui/field-parts.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import styles from './announcements.module.css';
import type { AnnouncementForm } from './use-announcement-form.ts';

type FormProps = { form: AnnouncementForm };

const names = {
  en: { title: 'title', content: 'content' },
  ko: { title: 'titleKo', content: 'contentKo' },
} as const;
type Language = keyof typeof names;

/** The texts in one language. English is required; without Korean the English text is shown. */
export function TextFields({ form, language }: FormProps & { language: Language }) {
  const { t } = useTranslation();
  const { draft, change, messageOf } = form;
  const { title, content } = names[language];
  const lengthOf = (text: string, max: number) =>
    t('announcementList.form.count', { count: formatPoints([...text].length), max: formatPoints(max) });
  const isWhole = draft[title].trim() !== '' && draft[content].trim() !== '';
  return (
    <fieldset className={styles.texts}>
      <legend className={styles.legend}>
        {t(`announcementList.form.languages.${language}`)} <Mark form={form} language={language} />
      </legend>
      <TextInput
        label={
          <FieldLabel
            text={t(`announcementList.form.fields.${language}.title`)}
            help={<span className="num">{lengthOf(draft[title], ANNOUNCEMENT_TITLE_MAX)}</span>}
          />
        }
        lang={language}
        value={draft[title]}
        maxLength={ANNOUNCEMENT_TITLE_MAX}
        autoComplete="off"
        data-autofocus={language === 'en' || undefined}
        error={fieldError(messageOf(title))}
        onChange={(event) => change({ [title]: event.currentTarget.value })}
      />
      <Textarea
        label={
          <FieldLabel
            text={t(`announcementList.form.fields.${language}.content`)}
            help={<span className="num">{lengthOf(draft[content], ANNOUNCEMENT_CONTENT_MAX)}</span>}
          />
        }
        lang={language}
        value={draft[content]}
        maxLength={ANNOUNCEMENT_CONTENT_MAX}
        autosize
        minRows={4}
        maxRows={10}
        error={fieldError(messageOf(content))}
        onChange={(event) => change({ [content]: event.currentTarget.value })}
      />
      {language === 'ko' && !isWhole && (
        <p className={styles.fallback}>
          <IconAlertTriangle size={16} stroke={2} aria-hidden="true" />
          {t('announcementList.form.fallback')}
        </p>
      )}
    </fieldset>
  );
}

/** What is missing in one language. */
function Mark({ form, language }: FormProps & { language: Language }) {
  const { t } = useTranslation();
  const { title, content } = names[language];
  const [hasTitle, hasContent] = [form.draft[title].trim() !== '', form.draft[content].trim() !== ''];
  const mark = hasTitle ? (hasContent ? 'complete' : 'content') : hasContent ? 'title' : 'none';
  return (
    <StatusBadge tone={mark === 'complete' ? 'ok' : 'warn'}>
      {t(`announcementList.form.marks.${mark}`)}
    </StatusBadge>
  );
}

/** Now, or on a day at a time of the site's zone. */
export function WhenFields({ form }: FormProps) {
  const { t } = useTranslation();
  const { draft, change, messageOf, timeZone } = form;
  return (
    <div className={styles.when}>
      <div>
        <p className={styles.legend} id="announcement-publish">
          {t('announcementList.form.publish')}
        </p>
        <SegmentedControl
          fullWidth
          aria-labelledby="announcement-publish"
          value={draft.isScheduled ? 'later' : 'now'}
          data={(['now', 'later'] as const).map((value) => ({
            value,
            label: t(`announcementList.form.${value}`),
          }))}
          onChange={(value) => change({ isScheduled: value === 'later' })}
        />
      </div>
      {draft.isScheduled && (
        <>
          <TextInput
            type="date"
            label={<FieldLabel text={t('announcementList.form.day')} />}
            value={draft.day}
            error={fieldError(messageOf('time'))}
            onChange={(event) => change({ day: event.currentTarget.value })}
          />
          <TextInput
            type="time"
            label={<FieldLabel text={t('announcementList.form.time', { zone: timeZone ?? '' })} />}
            value={draft.time}
            onChange={(event) => change({ time: event.currentTarget.value })}
          />
        </>
      )}
    </div>
  );
}

/** Whether it changes the terms, from which day on, and whether the change is an important one. */
export function TermsFields({ form }: FormProps) {
  const { t } = useTranslation();
  const { draft, change, messageOf } = form;
  return (
    <div className={styles.terms}>
      <Checkbox
        label={t('announcementList.form.terms')}
        description={t('announcementList.form.termsHelp')}
        checked={draft.changesTerms}
        onChange={(event) => change({ changesTerms: event.currentTarget.checked })}
      />
      {draft.changesTerms && (
        <div className={styles.when}>
          <TextInput
            type="date"
            label={<FieldLabel text={t('announcementList.form.effectiveOn')} />}
            value={draft.effectiveOn}
            error={fieldError(messageOf('effectiveOn'))}
            onChange={(event) => change({ effectiveOn: event.currentTarget.value })}
          />
          <Checkbox
            className={styles.important ?? ''}
            label={t('announcementList.form.important')}
            checked={draft.isImportant}
            onChange={(event) => change({ isImportant: event.currentTarget.checked })}
          />
        </div>
      )}
    </div>
  );
}
