import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CatalogueEntry } from '#contract/earning-catalogue-entries.ts';
import { toPoints } from '#web/client/format.ts';
import { useProviders } from '#web/client/session.ts';
import { ListingRow } from '#web/ui/listing-row.tsx';
import styles from './catalogue.module.css';
import { digitsOf, type EntryDraft, type EntryForm } from './use-entry-form.ts';

const languages = ['en', 'ko'] as const;
type Language = (typeof languages)[number];

/** A typed amount as points; 0 while it is none. */
const pointsOf = (text: string): string => (/^\d{1,15}$/.test(digitsOf(text)) ? digitsOf(text) : '0');

/** What the draft pays: the sum of its steps, or the reward without any. */
export const rewardOf = ({ steps, reward }: EntryDraft): string =>
  steps.length === 0
    ? pointsOf(reward)
    : steps.reduce((sum, { points }) => sum + toPoints(pointsOf(points)), 0n).toString();

/** The address of the picture as it will be. */
export const pictureUrlOf = ({ base, draft: { picture } }: Pick<EntryForm, 'base' | 'draft'>) => {
  if (picture === undefined) return base.imageUrl;
  return picture === null ? null : `data:${picture.type};base64,${picture.base64}`;
};

/** The entry as members see it in their list, in either language. */
export function EntryPreview({ form }: { form: EntryForm }) {
  const { t, i18n } = useTranslation();
  const [language, setLanguage] = useState<Language>(i18n.language === 'ko' ? 'ko' : 'en');
  const nameOf = useProviders();
  const { base, draft } = form;
  const read = (english: string, korean: string) =>
    (language === 'ko' ? korean.trim() : '') || english.trim() || '…';
  const listing = {
    id: base.id,
    title: read(draft.title, draft.titleKo),
    description: read(draft.description, draft.descriptionKo),
    category: draft.category as CatalogueEntry['category'],
    provider: draft.provider,
    reward: rewardOf(draft),
    minutes: Number(pointsOf(draft.minutes)),
    createdAt: base.createdAt || new Date().toISOString(),
    imageUrl: pictureUrlOf(form),
    steps: draft.steps.map(({ title, titleKo, points, days }) => ({
      title: read(title, titleKo),
      points: pointsOf(points),
      days: /^\d{1,4}$/.test(days) ? Number(days) : null,
    })),
  };
  return (
    <section className={styles.preview} aria-label={t('catalogueEntries.preview.title')}>
      <div className={styles.previewHead}>
        <h3>{t('catalogueEntries.preview.title')}</h3>
        <SegmentedControl
          size="sm"
          aria-label={t('catalogueEntries.preview.language')}
          value={language}
          data={languages.map((value) => ({
            value,
            label: t(`catalogueEntries.preview.languages.${value}`),
          }))}
          onChange={(value) => setLanguage(value as Language)}
        />
      </div>
      <ul className={styles.previewList}>
        <ListingRow
          listing={listing}
          providerName={nameOf(draft.provider)?.name ?? draft.provider}
          title={listing.title}
          isNarrow
        />
      </ul>
    </section>
  );
}
