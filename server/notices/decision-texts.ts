import type { NoticeFacts } from '#contract/notices.ts';

/** The sentences of mails about suspensions, in their reader's language. */
type Facts = Pick<NoticeFacts<'decision'>, 'decision' | 'suspensionType'>;
type Sentences = Record<Facts['suspensionType'], Record<Facts['decision'], string>>;

const english: Sentences = {
  earnings_blocked: { suspended: 'You can’t earn for now. New credits wait.', lifted: 'You can earn again.' },
  withdrawal_blocked: { suspended: 'You can’t withdraw for now.', lifted: 'You can withdraw again.' },
  full_suspension: {
    suspended: 'Your whole account is suspended. Every login has ended.',
    lifted: 'You can use your account again.',
  },
};

const korean: Sentences = {
  earnings_blocked: {
    suspended: '지금은 적립할 수 없습니다. 새 적립은 보류됩니다.',
    lifted: '다시 적립할 수 있습니다.',
  },
  withdrawal_blocked: { suspended: '지금은 출금할 수 없습니다.', lifted: '다시 출금할 수 있습니다.' },
  full_suspension: {
    suspended: '계정 전체가 정지되었습니다. 모든 기기에서 로그아웃했습니다.',
    lifted: '계정을 다시 이용할 수 있습니다.',
  },
};

/** What a decision blocks or opens, and until when it lasts. `until` is the end as text; null until it is lifted. */
export const decisionLines = {
  en: ({ decision, suspensionType }: Facts, until: string | null): string[] => [
    english[suspensionType][decision],
    ...(decision === 'lifted'
      ? []
      : [until === null ? 'It lasts until it is lifted.' : `It lasts until ${until}.`]),
  ],
  ko: ({ decision, suspensionType }: Facts, until: string | null): string[] => [
    korean[suspensionType][decision],
    ...(decision === 'lifted' ? [] : [until === null ? '해제될 때까지 계속됩니다.' : `${until}까지입니다.`]),
  ],
};
