import type { NoticeFacts } from '#contract/notices.ts';
import { oneLine } from './decision-texts.ts';

/** The mails about answered appeals, in their reader's language. */
export type AppealFacts = Extract<NoticeFacts<'decision'>, { decision: 'appeal-answered' }>;

type Given = { brand: string; site: string };
type Text = { subject: string; lines: string[] };
type Sentences = Record<AppealFacts['about'], string>;

const englishAgain: Sentences = {
  earnings_blocked: 'You can earn again.',
  withdrawal_blocked: 'You can withdraw again.',
  full_suspension: 'You can use your account again.',
  chat_ban: 'You can write in the chat again.',
  earning_rejected: 'The credit is booked, or as soon as a second operator has checked it.',
};

const koreanAgain: Sentences = {
  earnings_blocked: '다시 적립할 수 있습니다.',
  withdrawal_blocked: '다시 출금할 수 있습니다.',
  full_suspension: '계정을 다시 이용할 수 있습니다.',
  chat_ban: '다시 채팅에 글을 쓸 수 있습니다.',
  earning_rejected: '적립이 반영되었거나, 두 번째 운영자가 확인하면 바로 반영됩니다.',
};

export const appealTexts = {
  en: ({ outcome, about, reason }: AppealFacts, { brand, site }: Given): Text => ({
    subject:
      outcome === 'overturned'
        ? `Your appeal to ${brand} was granted`
        : `Your appeal to ${brand} was answered`,
    lines: [
      outcome === 'overturned'
        ? `Your appeal was granted. ${englishAgain[about]}`
        : 'An operator read your appeal. The decision stands.',
      `Reason: ${oneLine(reason)}`,
      `The decision and your appeal: ${site}/decisions`,
    ],
  }),
  ko: ({ outcome, about, reason }: AppealFacts, { brand, site }: Given): Text => ({
    subject:
      outcome === 'overturned' ? `${brand}에서 이의를 받아들였습니다` : `${brand}에서 이의에 답변했습니다`,
    lines: [
      outcome === 'overturned'
        ? `이의를 받아들였습니다. ${koreanAgain[about]}`
        : '운영자가 이의를 검토했습니다. 결정은 그대로 유지됩니다.',
      `이유: ${oneLine(reason)}`,
      `결정과 이의: ${site}/decisions`,
    ],
  }),
};
