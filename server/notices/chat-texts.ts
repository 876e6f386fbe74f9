import type { NoticeFacts, reportOutcomes } from '#contract/notices.ts';
import type { AbsenceFacts } from './absence-texts.ts';
import type { AppealFacts } from './appeal-texts.ts';
import { oneLine, type SuspensionFacts } from './decision-texts.ts';

/** The mails about decisions in the chat, in their reader's language. What a report led to names nobody. */
type Facts = NoticeFacts<'decision'>;
type ChatFacts = Exclude<Facts, SuspensionFacts | AppealFacts | AbsenceFacts>;

export const isAboutChat = (facts: Facts): facts is ChatFacts =>
  !['suspended', 'lifted', 'appeal-answered', 'inactive'].includes(facts.decision);

type Given = { brand: string; site: string; time(iso: string): string };
type Text = { subject: string; lines: string[] };
type Outcomes = Record<(typeof reportOutcomes)[number], string>;

const englishOutcomes: Outcomes = {
  leave: 'It breaks no rule and stays.',
  delete: 'It was taken out of the chat.',
  warn: 'It was taken out of the chat, and its writer was warned.',
  ban: 'It was taken out of the chat, and its writer was banned from the chat.',
};

function english(facts: ChatFacts, { brand, site, time }: Given): Text {
  switch (facts.decision) {
    case 'chat-banned':
      return {
        subject: `You are banned from the ${brand} chat`,
        lines: [
          facts.expiresAt === null
            ? 'You can’t write in the chat until the ban is lifted. Everything else works as before.'
            : `You can’t write in the chat until ${time(facts.expiresAt)}. Everything else works as before.`,
          `Reason: ${oneLine(facts.reason)}`,
          `If you think that this is wrong, you can appeal once: ${site}/decisions`,
        ],
      };
    case 'chat-unbanned':
      return {
        subject: `You can write in the ${brand} chat again`,
        lines: ['Your ban from the chat was lifted.'],
      };
    case 'chat-warned':
      return {
        subject: `A warning about a message in the ${brand} chat`,
        lines: [
          'An operator took a message of yours out of the chat. The next one may lead to a ban.',
          `Reason: ${oneLine(facts.reason)}`,
          `If you think that this is wrong, write to us: ${site}/contact`,
        ],
      };
    case 'report-decided':
      return {
        subject: 'Your report was checked',
        lines: ['Thank you for reporting a message in the chat.', englishOutcomes[facts.outcome]],
      };
  }
}

const koreanOutcomes: Outcomes = {
  leave: '규칙에 어긋나지 않아 그대로 두었습니다.',
  delete: '메시지를 채팅에서 삭제했습니다.',
  warn: '메시지를 채팅에서 삭제하고 작성자에게 경고했습니다.',
  ban: '메시지를 채팅에서 삭제하고 작성자의 채팅을 정지했습니다.',
};

function korean(facts: ChatFacts, { brand, site, time }: Given): Text {
  switch (facts.decision) {
    case 'chat-banned':
      return {
        subject: `${brand} 채팅이 정지되었습니다`,
        lines: [
          facts.expiresAt === null
            ? '정지가 해제될 때까지 채팅에 글을 쓸 수 없습니다. 다른 기능은 그대로 이용할 수 있습니다.'
            : `${time(facts.expiresAt)}까지 채팅에 글을 쓸 수 없습니다. 다른 기능은 그대로 이용할 수 있습니다.`,
          `이유: ${oneLine(facts.reason)}`,
          `잘못되었다고 생각하시면 한 번 이의를 제기할 수 있습니다: ${site}/decisions`,
        ],
      };
    case 'chat-unbanned':
      return {
        subject: `${brand} 채팅을 다시 이용할 수 있습니다`,
        lines: ['채팅 정지가 해제되었습니다.'],
      };
    case 'chat-warned':
      return {
        subject: `${brand} 채팅 메시지에 대한 경고입니다`,
        lines: [
          '운영자가 회원님의 메시지를 채팅에서 삭제했습니다. 다시 어기면 채팅이 정지될 수 있습니다.',
          `이유: ${oneLine(facts.reason)}`,
          `잘못되었다고 생각하시면 문의해 주세요: ${site}/contact`,
        ],
      };
    case 'report-decided':
      return {
        subject: '신고하신 내용을 확인했습니다',
        lines: ['채팅 메시지를 신고해 주셔서 고맙습니다.', koreanOutcomes[facts.outcome]],
      };
  }
}

export const chatTexts = { en: english, ko: korean };
