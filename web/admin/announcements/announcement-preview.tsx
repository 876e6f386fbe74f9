import { SegmentedControl } from '@mantine/core';
import { IconSpeakerphone } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './announcements.module.css';
import type { AnnouncementDraft } from './use-announcement-form.ts';

const languages = ['en', 'ko'] as const;
type Language = (typeof languages)[number];

/** The banner and the whole text as members read them, in either language. */
export function AnnouncementPreview({ draft }: { draft: AnnouncementDraft }) {
  const { t, i18n } = useTranslation();
  const [language, setLanguage] = useState<Language>(i18n.language === 'ko' ? 'ko' : 'en');
  const read = (english: string, korean: string) =>
    (language === 'ko' ? korean.trim() : '') || english.trim() || '…';
  const title = read(draft.title, draft.titleKo);
  const content = read(draft.content, draft.contentKo);
  return (
    <section className={styles.preview} aria-label={t('announcementList.preview.title')}>
      <div className={styles.previewHead}>
        <h3>{t('announcementList.preview.title')}</h3>
        <SegmentedControl
          size="sm"
          aria-label={t('announcementList.preview.language')}
          value={language}
          data={languages.map((value) => ({ value, label: t(`announcementList.preview.${value}`) }))}
          onChange={(value) => setLanguage(value as Language)}
        />
      </div>
      <div className={styles.banner}>
        <IconSpeakerphone size={20} stroke={1.75} aria-hidden="true" />
        <p>
          <b>{title}</b> {content}
        </p>
      </div>
      <div className={styles.whole}>
        <p className={styles.wholeTitle}>{title}</p>
        <p className={styles.text}>{content}</p>
      </div>
    </section>
  );
}
