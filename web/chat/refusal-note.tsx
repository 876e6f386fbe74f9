import { IconAlertTriangle, IconLinkOff, IconMessageX } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { ApiError } from '#web/client/call.ts';
import { EMPHASIS, Emphasised } from '#web/ui/emphasised.tsx';
import styles from './composer.module.css';

const icons = { 'links-not-allowed': IconLinkOff, 'forbidden-content': IconMessageX };

/** Why a message was not taken: a sentence above the field. */
export function RefusalNote({ refusal }: { refusal: ApiError }) {
  const { t } = useTranslation();
  const Icon = icons[refusal.code as keyof typeof icons] ?? IconAlertTriangle;
  return (
    <div className={styles.note} data-tone="warn" role="alert">
      <Icon size={20} stroke={1.75} aria-hidden="true" />
      <span>
        <Sentence refusal={refusal} t={t} />
      </span>
    </div>
  );
}

type SentenceProps = { refusal: ApiError; t: TFunction };

function Sentence({ refusal: { code, problem }, t }: SentenceProps) {
  if (code === 'links-not-allowed' && typeof problem?.link === 'string')
    return <Emphasised text={t('chat.links', { link: EMPHASIS })} part={problem.link} />;
  if (code === 'forbidden-content') {
    const word = problem?.word;
    if (typeof word !== 'string' || word === '') return t('chat.forbidden');
    return <Emphasised text={t('chat.forbiddenWord', { word: EMPHASIS })} part={word} />;
  }
  return problem === null ? t('chat.sendFailed') : t(`refusals.${code}`);
}
