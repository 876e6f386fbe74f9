import { readOffer } from './wall-registry.ts';

/** What the operator of the demo world announced to all members. */
export type DemoAnnouncement = {
  hoursAgo: number;
  texts: { title: string; content: string; titleKo?: string; contentKo?: string };
};

const { wall, offer } = readOffer('Lingo Lane');

export const announcements: readonly DemoAnnouncement[] = [
  {
    hoursAgo: 430,
    texts: {
      title: `${wall.name} joins the offers`,
      content: `${offer.title} and others are in the list now.\n\nA reward is booked when ${wall.name} reports it.`,
    },
  },
  {
    hoursAgo: 170,
    texts: {
      title: 'Withdrawals are paid at the weekend, too',
      content: 'They are paid in the order in which they were asked for, on every day of the week.',
      titleKo: '주말에도 출금을 지급합니다',
      contentKo: '요일과 관계없이 신청하신 순서대로 지급합니다.',
    },
  },
  {
    hoursAgo: 26,
    texts: {
      title: 'A short pause on Monday, 3:00 AM',
      content:
        'We change a server on Monday from 3:00 to 3:20 AM.\n\n' +
        'Credits from providers wait and arrive afterwards, none is lost. Withdrawals can’t be requested in these ' +
        '20 minutes; the ones already asked for aren’t touched.',
      titleKo: '월요일 새벽 3시에 잠시 멈춥니다',
      contentKo:
        '월요일 새벽 3시부터 3시 20분까지 서버를 교체합니다.\n\n' +
        '제휴사의 적립은 20분 뒤에 들어오며 사라지지 않습니다. 이 시간에는 출금을 신청할 수 없습니다. ' +
        '이미 신청하신 출금에는 영향이 없습니다.',
    },
  },
];
