import { IconCheck, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Decision } from '#contract/decisions.ts';
import { isBlock } from '#contract/decisions-blocks.ts';
import { formatClock, formatDayOfWeek, formatTime } from '#web/client/format.ts';
import { useLanguage } from '#web/client/use-language.ts';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { AppealPart } from './appeal-part.tsx';
import styles from './decision-card.module.css';
import { Subject } from './subject.tsx';

/** A decision that is active: what, until when, what ends it sooner, why, what still works, and the appeal. */
export function DecisionCard({ decision }: { decision: Decision }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { id, reason, createdAt, isOwnWord } = decision;
  const kind = isBlock(decision.kind) ? decision.kind : 'earning_rejected';
  const time = formatTime(createdAt, language);
  const since = isOwnWord ? 'decisions.sinceOwn' : 'decisions.since';
  return (
    <article className={`card ${styles.card}`} aria-labelledby={id}>
      <header className={styles.head}>
        <div>
          <h2 id={id}>{t(`decisions.what.${kind}`)}</h2>
          <Subject decision={decision} />
          <p className="dim small">
            {t(kind === 'earning_rejected' ? 'decisions.rejectedOn' : since, { time })}
          </p>
        </div>
        <StatusBadge tone="warn">
          {t(kind === 'earning_rejected' ? 'decisions.rejected' : 'decisions.active')}
        </StatusBadge>
      </header>
      {kind === 'earning_rejected' ? <AppealEnds decision={decision} /> : <Ends decision={decision} />}
      <div className={styles.why}>
        <section>
          <h3>{t('decisions.reason')}</h3>
          <p className={styles.reason} dir="auto">
            {reason}
          </p>
        </section>
        <section>
          <h3>{t('decisions.meaning')}</h3>
          <ul className={styles.meaning}>
            <li data-tone="bad">
              <IconX size={16} stroke={2} aria-hidden="true" />
              {t(`decisions.stops.${kind}`)}
            </li>
            <li data-tone="ok">
              <IconCheck size={16} stroke={2} aria-hidden="true" />
              {t(`decisions.works.${kind}`)}
            </li>
          </ul>
        </section>
      </div>
      <AppealPart decision={decision} />
    </article>
  );
}

/** A rejection ends by an appeal alone. */
function AppealEnds({ decision: { appealUntil } }: { decision: Decision }) {
  const { t } = useTranslation();
  const language = useLanguage();
  if (appealUntil === null) return null;
  return (
    <dl className={styles.ends}>
      <div>
        <dt>{t('decisions.appealUntil')}</dt>
        <dd>
          {formatDayOfWeek(appealUntil, language)}
          <span className={styles.more}>{formatClock(appealUntil, language)}</span>
        </dd>
      </div>
    </dl>
  );
}

function Ends({ decision: { expiresAt, isOwnWord } }: { decision: Decision }) {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <dl className={styles.ends}>
      <div>
        <dt>{t('decisions.endsItself')}</dt>
        <dd>
          {expiresAt === null ? t('decisions.notItself') : formatDayOfWeek(expiresAt, language)}
          {expiresAt !== null && <span className={styles.more}>{formatClock(expiresAt, language)}</span>}
        </dd>
      </div>
      <div>
        <dt>{t(expiresAt === null ? 'decisions.endsOnly' : 'decisions.endsSooner')}</dt>
        <dd>
          {t(isOwnWord && expiresAt === null ? 'decisions.newPassword' : 'decisions.operatorLifts')}
          <span className={styles.more}>
            {isOwnWord
              ? expiresAt === null && t('decisions.newPasswordMore')
              : t('decisions.operatorLiftsMore')}
          </span>
        </dd>
      </div>
    </dl>
  );
}
