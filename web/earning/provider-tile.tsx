import { IconChevronRight } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { providerFacts, type readOfferwalls } from '#contract/earning.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { formatPoints } from '#web/client/format.ts';
import en from '#web/client/words.en.json';
import styles from './provider-tile.module.css';

export type Wall = ReplyOf<typeof readOfferwalls>[number];

const texts = en.earn.providers;
type KnownProvider = keyof typeof texts;
type OfferWall = {
  [K in KnownProvider]: (typeof texts)[K] extends { kinds: string } ? K : never;
}[KnownProvider];
const isKnown = (id: string): id is KnownProvider => Object.hasOwn(texts, id);
const hasKinds = (id: KnownProvider): id is OfferWall => 'kinds' in texts[id];

/** What a provider is, in one line. One that an operator added later is spoken of by its kind. */
function wordsFor(wall: Wall, t: TFunction): { title: string; text: string; kinds: string } {
  const kinds =
    isKnown(wall.id) && hasKinds(wall.id) ? t(`earn.providers.${wall.id}.kinds`) : t('earn.wallKinds');
  if (isKnown(wall.id))
    return { title: t(`earn.providers.${wall.id}.title`), text: t(`earn.providers.${wall.id}.text`), kinds };
  return wall.kind === 'survey'
    ? { title: t('earn.surveyTitle'), text: t('earn.surveyText'), kinds }
    : { title: t('earn.wallTitle'), text: t('earn.wallText'), kinds };
}

type Fact = { name: 'pays' | 'takes' | 'kinds' | 'arrives'; value: string };

/** What is known of what a provider pays, how long it takes and when points arrive. */
function factsOf(wall: Wall, kinds: string, t: TFunction): Fact[] {
  const known = providerFacts(wall.id);
  const { rewardPointsMin: least, rewardPointsMax: most, minutesMin, minutesMax, arrivesWithinHours } = known;
  const range = { from: formatPoints(least ?? 0), to: formatPoints(most ?? 0) };
  const pays =
    most === null
      ? t('earn.facts.byTask')
      : t(least === null ? 'earn.facts.upTo' : 'earn.facts.range', range);
  const facts: Fact[] = [{ name: 'pays', value: pays }];
  if (minutesMin !== null && minutesMax !== null)
    facts.push({ name: 'takes', value: t('earn.facts.minutes', { from: minutesMin, to: minutesMax }) });
  if (wall.kind === 'offerwall') facts.push({ name: 'kinds', value: kinds });
  if (arrivesWithinHours !== null)
    facts.push({ name: 'arrives', value: t('earn.facts.within', { hours: arrivesWithinHours }) });
  return facts;
}

/** A provider: its name on a plate, what it is, and a strip of facts. The whole tile opens it. */
export function ProviderTile({ wall, onOpen }: { wall: Wall; onOpen: () => void }) {
  const { t } = useTranslation();
  const { title, text, kinds } = wordsFor(wall, t);
  const facts = factsOf(wall, kinds, t);
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
          {title}
        </button>
      </h3>
      <p className={styles.text}>{text}</p>
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
