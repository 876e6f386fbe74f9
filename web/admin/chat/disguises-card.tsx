import { IconCheck, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { testMessage } from '#contract/chat-moderation.ts';
import { useRead } from '#web/client/use-call.ts';
import { type Disguise, disguisesOf } from './disguises.ts';
import styles from './words-and-bans.module.css';

/** The disguises of a word, each tried by the filter itself. */
export function DisguisesCard({ word }: { word: string }) {
  const { t } = useTranslation();
  const disguises = disguisesOf(word);
  return (
    <section className={`card ${styles.padded}`}>
      <h2 className={styles.wrapped}>{t('chatModeration.disguises.title', { word })}</h2>
      <ul className={styles.disguises}>
        {disguises.map((disguise) => (
          <DisguiseLine key={disguise.way} {...disguise} />
        ))}
      </ul>
    </section>
  );
}

function DisguiseLine({ way, text }: Disguise) {
  const { t } = useTranslation();
  const { data } = useRead(testMessage, { query: { text } });
  const isAllowed = data?.word === null;
  const Sign = isAllowed ? IconCheck : IconX;
  const verdict = isAllowed ? 'allowed' : 'stopped';
  const name = t(`chatModeration.disguises.ways.${way}`);
  return (
    <li data-verdict={data === undefined ? undefined : verdict}>
      {data === undefined ? (
        <span />
      ) : (
        <Sign size={16} stroke={2} role="img" aria-label={t(`chatModeration.disguises.${verdict}`)} />
      )}
      <bdi className="mono">{text}</bdi>
      <span>{isAllowed ? t('chatModeration.disguises.wayAllowed', { way: name }) : name}</span>
    </li>
  );
}
