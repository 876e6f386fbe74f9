import type { NoticeFacts } from '#contract/notices.ts';
import { oneLine } from './decision-texts.ts';

/** The mails about claims, in their reader's language. */

type Given = { brand: string; site: string; provider(id: string): string; time(iso: string): string };
type Text = { subject: string; lines: string[] };

function english(facts: NoticeFacts<'ticket'>, { brand, site, ...given }: Given): Text {
  const provider = given.provider(facts.provider);
  const link = `Your claims: ${site}/earn`;
  if (facts.change === 'claim-asked')
    return {
      subject: `${brand} asked ${provider} about your missing credit`,
      lines: [
        `We asked ${provider} about your missing credit. They have until ${given.time(facts.answerBy)}.`,
        link,
      ],
    };
  return {
    subject: `Your claim about ${provider} was turned down`,
    lines: [
      `Your claim that a credit of ${provider} did not arrive was turned down.`,
      `Reason: ${oneLine(facts.reason)}`,
      'Nothing was taken from your balance.',
      link,
    ],
  };
}

function korean(facts: NoticeFacts<'ticket'>, { brand, site, ...given }: Given): Text {
  const provider = given.provider(facts.provider);
  const link = `적립 누락 신청: ${site}/earn`;
  if (facts.change === 'claim-asked')
    return {
      subject: `${brand}에서 ${provider}에 적립 누락을 문의했습니다`,
      lines: [
        `들어오지 않은 적립에 대해 ${provider}에 문의했습니다. 답변 기한은 ${given.time(facts.answerBy)}입니다.`,
        link,
      ],
    };
  return {
    subject: `${provider} 적립 누락 신청이 받아들여지지 않았습니다`,
    lines: [
      `${provider} 적립이 들어오지 않았다는 신청이 받아들여지지 않았습니다.`,
      `이유: ${oneLine(facts.reason)}`,
      '잔액에서 빠져나간 포인트는 없습니다.',
      link,
    ],
  };
}

export const ticketTexts = { en: english, ko: korean };
