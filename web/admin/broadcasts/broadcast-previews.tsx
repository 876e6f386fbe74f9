import { useTranslation } from 'react-i18next';
import { broadcastWords } from '#contract/broadcasts-mail.ts';
import { useSiteConfig } from '#web/client/session.ts';
import styles from './broadcasts.module.css';
import type { BroadcastDraft } from './use-broadcast-form.ts';

/** The mail as a member reads it, in both languages side by side. */
export function BroadcastPreviews({ draft }: { draft: BroadcastDraft }) {
  const { t, i18n } = useTranslation();
  const languages = i18n.language === 'ko' ? (['ko', 'en'] as const) : (['en', 'ko'] as const);
  return (
    <section aria-label={t('broadcast.preview.title')}>
      <h2 className={styles.caption}>{t('broadcast.preview.title')}</h2>
      <div className={styles.sides}>
        {languages.map((language) => (
          <Preview key={language} draft={draft} language={language} />
        ))}
      </div>
    </section>
  );
}

function Preview({ draft, language }: { draft: BroadcastDraft; language: 'en' | 'ko' }) {
  const { greeting, why, sampleName } = broadcastWords[language];
  const brandName = useSiteConfig().data?.brand.name ?? '';
  const read = (english: string, korean: string) =>
    (language === 'ko' ? korean.trim() : '') || english.trim() || '…';
  return (
    <article className={styles.preview} lang={language}>
      <p className={styles.sender}>{brandName}</p>
      <p className={styles.subject}>{read(draft.subject, draft.subjectKo)}</p>
      <p className={styles.text}>{greeting(sampleName)}</p>
      <p className={styles.text}>{read(draft.content, draft.contentKo)}</p>
      <p className={styles.why}>{why} …</p>
    </article>
  );
}
