import type { NoticeFacts } from '#contract/notices.ts';

/** The mails to members who were away for three months, in their reader's language. */
export type AbsenceFacts = Extract<NoticeFacts<'decision'>, { decision: 'inactive' }>;

type Given = { brand: string; site: string; time(iso: string): string };
type Text = { subject: string; lines: string[] };

export const absenceTexts = {
  en: ({ since }: AbsenceFacts, { brand, site, time }: Given): Text => ({
    subject: `You have not used ${brand} for three months`,
    lines: [
      `Your last login was on ${time(since)}. Your points are still yours, and nothing is taken by itself.`,
      'An account that is not used may be suspended until you write to us. To keep it, log in:',
      site,
    ],
  }),
  ko: ({ since }: AbsenceFacts, { brand, site, time }: Given): Text => ({
    subject: `${brand}을(를) 3개월 동안 이용하지 않았습니다`,
    lines: [
      `마지막 로그인은 ${time(since)}입니다. 포인트는 그대로 회원님의 것이며, 저절로 사라지지 않습니다.`,
      '이용하지 않는 계정은 문의하실 때까지 정지될 수 있습니다. 계정을 유지하려면 로그인해 주세요:',
      site,
    ],
  }),
};
