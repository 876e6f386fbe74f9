import type { NoticeFacts } from '#contract/notices.ts';

/** The sentences of mails about suspensions, in their reader's language. */
export type SuspensionFacts = Extract<NoticeFacts<'decision'>, { decision: 'suspended' | 'lifted' }>;
type Facts = Pick<SuspensionFacts, 'decision' | 'suspensionType'>;
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
const englishLines = ({ decision, suspensionType }: Facts, until: string | null): string[] => [
  english[suspensionType][decision],
  ...(decision === 'lifted'
    ? []
    : [until === null ? 'It lasts until it is lifted.' : `It lasts until ${until}.`]),
];

const koreanLines = ({ decision, suspensionType }: Facts, until: string | null): string[] => [
  korean[suspensionType][decision],
  ...(decision === 'lifted' ? [] : [until === null ? '해제될 때까지 계속됩니다.' : `${until}까지입니다.`]),
];

const englishSubjects = (brand: string): Sentences => ({
  earnings_blocked: {
    suspended: `Earning on ${brand} is suspended`,
    lifted: `You can earn on ${brand} again`,
  },
  withdrawal_blocked: {
    suspended: `Withdrawals from ${brand} are suspended`,
    lifted: `You can withdraw from ${brand} again`,
  },
  full_suspension: {
    suspended: `Your ${brand} account is suspended`,
    lifted: `You can use your ${brand} account again`,
  },
});

const koreanSubjects = (brand: string): Sentences => ({
  earnings_blocked: {
    suspended: `${brand} 적립이 정지되었습니다`,
    lifted: `${brand} 적립 정지가 해제되었습니다`,
  },
  withdrawal_blocked: {
    suspended: `${brand} 출금이 정지되었습니다`,
    lifted: `${brand} 출금 정지가 해제되었습니다`,
  },
  full_suspension: {
    suspended: `${brand} 계정이 정지되었습니다`,
    lifted: `${brand} 계정의 정지가 해제되었습니다`,
  },
});

type Given = { brand: string; site: string; time(iso: string): string };
type Text = { subject: string; lines: string[] };

/** An operator's reason, as one line. */
export const oneLine = (reason: string): string => reason.replaceAll(/[\r\n]+/g, ' ');

export const suspensionTexts = {
  en: (facts: SuspensionFacts, { brand, site, time }: Given): Text => ({
    subject: englishSubjects(brand)[facts.suspensionType][facts.decision],
    lines: [
      ...englishLines(facts, facts.expiresAt && time(facts.expiresAt)),
      `Reason: ${oneLine(facts.reason)}`,
      ...(facts.decision === 'lifted'
        ? []
        : [`If you think that this is wrong, you can appeal once: ${site}/decisions`]),
    ],
  }),
  ko: (facts: SuspensionFacts, { brand, site, time }: Given): Text => ({
    subject: koreanSubjects(brand)[facts.suspensionType][facts.decision],
    lines: [
      ...koreanLines(facts, facts.expiresAt && time(facts.expiresAt)),
      `이유: ${oneLine(facts.reason)}`,
      ...(facts.decision === 'lifted'
        ? []
        : [`잘못되었다고 생각하시면 한 번 이의를 제기할 수 있습니다: ${site}/decisions`]),
    ],
  }),
};
