import type { TicketPriority, TicketStatus } from '#contract/support.ts';
import { MEMBER_EMAIL } from './demo-accounts.ts';
import { readOffer } from './wall-registry.ts';

/** A support ticket of the demo world. Each one refers to an act of its author. */
export type DemoTicket = {
  who: string;
  hoursAgo: number;
  priority: TicketPriority;
  subject: string;
  message: string;
  /** The operator's change of the status, with or without a response; null if there is none yet. */
  outcome: { afterHours: number; status: TicketStatus; response: string | null } | null;
};

const nightTrainWall = readOffer('Night Train').wall.name;

export const tickets: readonly DemoTicket[] = [
  {
    who: MEMBER_EMAIL,
    hoursAgo: 125,
    priority: 'medium',
    subject: 'Which address counts as my own?',
    message:
      'My withdrawal was rejected because the address is not mine. It was the deposit address that an exchange ' +
      'gave me. Do I need a wallet on my phone, or is an exchange fine?',
    outcome: {
      afterHours: 8,
      status: 'resolved',
      response:
        'An exchange is fine. The address of your first request was already used by another member, so please ' +
        'create a new deposit address and ask again. Your points are back on your balance.',
    },
  },
  {
    who: 'doyun.park@example.org',
    hoursAgo: 66,
    priority: 'high',
    subject: '출금이 거절된 이유가 궁금합니다',
    message:
      '라이트코인 출금을 신청했는데 다른 계정에서 사용한 주소라는 이유로 거절되었습니다. ' +
      '동생과 같은 지갑을 쓰고 있는데, 이런 경우에는 어떻게 해야 하나요?',
    outcome: {
      afterHours: 14,
      status: 'in_progress',
      response:
        '문의해 주셔서 감사합니다. 지갑 주소는 회원마다 하나씩만 사용할 수 있습니다. ' +
        '본인 명의의 새 주소를 알려 주시면 확인 후 다시 안내해 드리겠습니다.',
    },
  },
  {
    who: 'liam.murphy@example.org',
    hoursAgo: 48,
    priority: 'low',
    subject: 'How do I switch to the dark theme?',
    message: 'Never mind, I found it in the menu at the top. You can close this.',
    outcome: { afterHours: 3, status: 'closed', response: null },
  },
  {
    who: 'grace.okafor@example.org',
    hoursAgo: 20,
    priority: 'medium',
    subject: 'My Night Train reward has not arrived',
    message:
      `I reached the last station in Night Train yesterday and ${nightTrainWall} shows the offer as completed, but ` +
      'the points are not in my history yet. Is something missing?',
    outcome: null,
  },
  {
    who: 'haeun.choi@example.org',
    hoursAgo: 6,
    priority: 'urgent',
    subject: '대시 출금 주소를 잘못 입력한 것 같아요',
    message:
      '어제 신청한 대시 출금의 주소가 예전 지갑 주소입니다. 아직 대기 중이던데 승인되기 전에 취소해 주실 수 있나요?',
    outcome: null,
  },
  {
    who: 'theo.laurent@example.org',
    hoursAgo: 3,
    priority: 'low',
    subject: 'Why do surveys ask the same questions again?',
    message:
      'Every survey starts with my age, my city and my job. Can I save these answers somewhere so that I do not ' +
      'have to type them each time?',
    outcome: null,
  },
];
