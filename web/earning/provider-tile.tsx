import { IconChevronRight } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { readOfferwalls } from '#contract/earning.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { formatPoints } from '#web/client/format.ts';
import styles from './provider-tile.module.css';
import { useCatalogueLanguage } from './use-catalogue-language.ts';

export type Wall = ReplyOf<typeof readOfferwalls>[number];

type Fact = { name: 'pays' | 'takes' | 'kinds' | 'arrives'; value: string };

/** Facts about a provider: its pay, its duration and its delay until points arrive. */
function factsOf({ pays: known, words }: Wall, language: 'en' | 'ko', t: TFunction): Fact[] {
  const { rewardPointsMin: least, rewardPointsMax: most, minutesMin, minutesMax, arrivesWithinHours } = known;
  const range = { from: formatPoints(least ?? 0), to: formatPoints(most ?? 0) };
  const pays =
    most === null
      ? t('earn.facts.byTask')
      : t(least === null ? 'earn.facts.upTo' : 'earn.facts.range', range);
  const facts: Fact[] = [{ name: 'pays', value: pays }];
  if (minutesMin !== null && minutesMax !== null)
    facts.push({ name: 'takes', value: t('earn.facts.minutes', { from: minutesMin, to: minutesMax }) });
  if (words.kinds !== null) facts.push({ name: 'kinds', value: words.kinds[language] });
  if (arrivesWithinHours !== null)
    facts.push({ name: 'arrives', value: t('earn.facts.within', { hours: arrivesWithinHours }) });
  return facts;
}

/** A provider's tile with name, description and facts. The whole tile opens its wall. */
export function ProviderTile({ wall, onOpen }: { wall: Wall; onOpen: () => void }) {
  const { t } = useTranslation();
  const language = useCatalogueLanguage();
  const { title, text } = wall.words;
  const facts = factsOf(wall, language, t);
  return (
    <article className={`card ${styles.tile}`}>
      <div className={styles.plate}>
        <span className={styles.logo} aria-hidden="true">
          {wall.name}
        </span>
        <span className={styles.open} aria-hidden="true">
          {t('earn.open')}
          <IconChevronRight size={16} stroke={2} />
        </span>
      </div>
      <h3>
        <button type="button" className={styles.opener} onClick={onOpen}>
          <span className="visually-hidden">{wall.name}: </span>
          {title[language]}
        </button>
      </h3>
      <p className={styles.text}>{text[language]}</p>
      <dl className={styles.facts} data-count={facts.length}>
        {facts.map(({ name, value }) => (
          <div key={name}>
            <dt>{t(`earn.${name}`)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </article>
  );
}
