import { MEMBER_EMAIL } from './demo-accounts.ts';
import { readOffer } from './wall-registry.ts';

/** What members and the operator of the demo world wrote in the general channel. `who` is null for the operator. */
export type DemoLine = { who: string | null; hoursAgo: number; text: string };

const { wall, offer } = readOffer('Harbour Town');

const line = (name: string | null, hoursAgo: number, text: string): DemoLine => ({
  who: name === null || name.includes('@') ? name : `${name}@example.org`,
  hoursAgo,
  text,
});

export const chatLines: readonly DemoLine[] = [
  line(null, 480, 'This is the general channel. Be kind, and never share a password or a code here.'),
  line('olivia.bennett', 300, 'Which surveys screen you out the least?'),
  line('grace.okafor', 299.9, 'The short ones. Fill in your profile at the wall first, that helped me.'),
  line('minjun.kim', 172, '출금하면 보통 며칠 걸리나요?'),
  line('seoyeon.lee', 171.8, '저는 이틀 걸렸어요. 평일 기준이에요.'),
  line('haeun.choi', 51, `Does ${offer.title} pay at level 12 or when level 12 is finished?`),
  line(null, 50.7, `When you reach it. ${wall.name} books it within an hour.`),
  line(MEMBER_EMAIL, 26, 'Level 12 came in, about ten minutes after I reached it.'),
  line('liam.murphy', 25.7, 'Thanks, starting it now.'),
  line('sua.yoon', 8, '오늘 설문 새로 올라왔네요 ㅋㅋ'),
  line('jiho.jung', 7.9, '방금 하나 했어요. 9분 걸렸습니다.'),
  line('amara.singh', 2.6, 'First withdrawal confirmed. Asked on Monday, it arrived on Wednesday.'),
  line('noah.fischer', 2.5, 'Nice!'),
  line('grace.okafor', 0.9, 'The grocery survey took me 9 minutes.'),
];
