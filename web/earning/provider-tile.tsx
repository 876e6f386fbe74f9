import { IconChevronRight } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { readOfferwalls } from '#contract/earning.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import en from '#web/i18n/en.json';
import styles from './provider-tile.module.css';

export type Wall = ReplyOf<typeof readOfferwalls>[number];

type KnownProvider = keyof (typeof en)['earn']['providers'];
const isKnown = (id: string): id is KnownProvider => id in en.earn.providers;

/** What a provider is, in one line. One that an operator added later is spoken of by its kind. */
function wordsFor(wall: Wall, t: TFunction): { title: string; text: string } {
  if (isKnown(wall.id)) {
    return { title: t(`earn.providers.${wall.id}.title`), text: t(`earn.providers.${wall.id}.text`) };
  }
  return wall.kind === 'survey'
    ? { title: t('earn.surveyTitle'), text: t('earn.surveyText') }
    : { title: t('earn.wallTitle'), text: t('earn.wallText') };
}

/** A provider: its name on a plate, what it is, and a strip of facts. The whole tile opens it. */
export function ProviderTile({ wall, onOpen }: { wall: Wall; onOpen: () => void }) {
  const { t } = useTranslation();
  const { title, text } = wordsFor(wall, t);
  const facts =
    wall.kind === 'survey'
      ? (['paysSurvey', 'takesSurvey', 'arrivesSurvey'] as const)
      : (['paysWall', 'kindsWall'] as const);
  const labels = {
    paysSurvey: 'pays',
    takesSurvey: 'takes',
    arrivesSurvey: 'arrives',
    paysWall: 'pays',
    kindsWall: 'kinds',
  } as const;
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
        {facts.map((fact) => (
          <div key={fact}>
            <dt>{t(`earn.${labels[fact]}`)}</dt>
            <dd>{t(`earn.${fact}`)}</dd>
          </div>
        ))}
      </dl>
    </article>
  );
}
