import {
  type Icon,
  IconArrowBackUp,
  IconCopy,
  IconFlask,
  IconHandStop,
  IconMinus,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Postback } from '#contract/earning-postbacks.ts';
import { type BadgeTone, StatusBadge } from '#web/ui/status-badge.tsx';

type Look = { tone: BadgeTone; icon?: Icon };

const refused: Look = { tone: 'blocked', icon: IconHandStop };
const ineffective: Look = { tone: 'plain', icon: IconMinus };
const repeated: Look = { tone: 'plain', icon: IconCopy };

const looks = {
  credited: { tone: 'ok' },
  reversed: { tone: 'ok', icon: IconArrowBackUp },
  'hold-rejected': { tone: 'ok', icon: IconArrowBackUp },
  held: { tone: 'wait' },
  quarantined: { tone: 'warn' },
  duplicate: repeated,
  'duplicate-different': { tone: 'warn' },
  'nothing-left': ineffective,
  'zero-amount': ineffective,
  'test-call': { tone: 'plain', icon: IconFlask },
  'unknown-status': ineffective,
  pending: ineffective,
  rejected: ineffective,
  'start-bonus': ineffective,
  'unknown-provider': refused,
  'source-refused': refused,
  'invalid-signature': refused,
  'invalid-postback': refused,
  'not-a-chargeback': refused,
} as const satisfies Record<string, Look>;

type Verdict = keyof typeof looks;
const isKnown = (verdict: string): verdict is Verdict => verdict in looks;

/** The words of a verdict. */
export function useVerdictWord(): (row: Pick<Postback, 'verdict' | 'kind'>) => string {
  const { t } = useTranslation();
  return ({ verdict, kind }) => {
    if (verdict === 'quarantined' && kind === 'reversal') return t('postbacks.unmatched');
    return isKnown(verdict) ? t(`postbacks.verdicts.${verdict}`) : verdict;
  };
}

/** What became of a call. */
export function VerdictBadge({ row }: { row: Pick<Postback, 'verdict' | 'kind'> }) {
  const wordOf = useVerdictWord();
  const look: Look = isKnown(row.verdict) ? looks[row.verdict] : ineffective;
  return <StatusBadge {...look}>{wordOf(row)}</StatusBadge>;
}
