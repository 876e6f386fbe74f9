import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import clsx from 'clsx';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Decision } from '#contract/decisions.ts';
import { isBlock } from '#contract/decisions-blocks.ts';
import { formatTime } from '#web/client/format.ts';
import { useLanguage } from '#web/client/use-language.ts';
import button from '#web/ui/plain-button.module.css';
import styles from './home-notice.module.css';

/** The notice on Home: an answer that was not read yet, or a decision that is active. */
export function HomeNotice({ decision, isAnswer }: { decision: Decision; isAnswer: boolean }) {
  return isAnswer ? <AnswerNotice decision={decision} /> : <ActiveNotice decision={decision} />;
}

function ActiveNotice({ decision: { kind, expiresAt, reason } }: { decision: Decision }) {
  const { t } = useTranslation();
  const language = useLanguage();
  if (!isBlock(kind)) return null;
  return (
    <Frame tone="warn" text={reason} act={t('decisions.notice.why')}>
      {expiresAt === null
        ? t(`decisions.what.${kind}`)
        : t(`decisions.whatUntil.${kind}`, { time: formatTime(expiresAt, language) })}
    </Frame>
  );
}

function AnswerNotice({ decision: { kind, appeal } }: { decision: Decision }) {
  const { t } = useTranslation();
  return (
    <Frame tone="ok" text={`“${appeal?.answer ?? ''}”`} act={t('decisions.notice.read')}>
      {appeal?.status === 'overturned'
        ? t(`decisions.again.${isBlock(kind) ? kind : 'earning_held'}`)
        : t('decisions.notice.upheld')}
    </Frame>
  );
}

type FrameProps = { tone: 'warn' | 'ok'; text: string; act: string; children: ReactNode };

function Frame({ tone, text, act, children }: FrameProps) {
  const { t } = useTranslation();
  const Icon = tone === 'warn' ? IconAlertTriangle : IconCircleCheck;
  return (
    <section className={styles.notice} data-tone={tone} aria-label={t('decisions.notice.label')}>
      <Icon size={20} stroke={1.75} aria-hidden="true" />
      <div className={styles.words}>
        <p className={styles.title}>{children}</p>
        <p className={styles.text} dir="auto">
          {text}
        </p>
      </div>
      <Link to="/decisions" className={clsx(button.button, button.small, button.outline, styles.act)}>
        {act}
      </Link>
    </section>
  );
}
