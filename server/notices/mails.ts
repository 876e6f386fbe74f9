import { MANUAL_PROVIDER } from '#contract/earning-chargebacks.ts';
import type { NoticeKind } from '#contract/notice-kinds.ts';
import type { NoticeFacts, SecurityChange } from '#contract/notices.ts';
import { shortenMiddle } from '#contract/shorten.ts';
import { deviceNameIn } from '#contract/user-agent.ts';
import type { Config } from '#platform/config.ts';
import { type Mail, mailOf } from '#platform/mail.ts';
import type { brandOf } from '../members/members.ts';
import { decisionMails } from './decision-mails.ts';
import { timeIn } from './mail-time.ts';
import { messageTexts } from './message-texts.ts';
import { ticketTexts } from './ticket-texts.ts';

/**
 * The mails of notices, in their reader's language. They say what the notice says, and link to the page where the
 * member sees it. Those about sign-ins and security hold no text that a person typed, except the ends of an address
 * that its rail accepted, and a link that says that this was not the member.
 */
type Language = 'en' | 'ko';

/** The display names of providers, those of payment methods in both languages, and their currencies' symbols, by id. */
export type Names = {
  providers: ReadonlyMap<string, string>;
  methods: ReadonlyMap<string, string>;
  koreanMethods: ReadonlyMap<string, string>;
  currencies: ReadonlyMap<string, string>;
};

export type NoticeMail = {
  to: string;
  language: Language;
  names: Names;
  /** When it happened. The mail may be sent hours later. */
  happenedAt: Date;
  /** The token of the link in mails about sign-ins and security. */
  denialToken: string;
  /** How many later notices of the topic have no mail of their own. */
  moreCount: number;
};

type Text = { subject: string; lines: string[] };

/** What the sentences are made of, besides the facts. */
type Given = {
  brand: string;
  site: string;
  denialLink: string;
  /** In the site's zone, which it names. */
  happenedAt: string;
  provider(id: string): string;
  method(id: string): string;
  /** What was paid, with its currency. */
  paid(method: string, paidAmount: string): string;
  /** Without a sign, because the sentence says where the points went. */
  points(amount: string): string;
  /** In the site's zone, which it names. */
  time(iso: string): string;
};

type Texts = { [Kind in NoticeKind]: (facts: NoticeFacts<Kind>, given: Given) => Text };

/** Removes what would make an operator's or a provider's reason a line of its own. */
const reasonLines = (label: string, reason: string | null): string[] =>
  reason === null || reason === '' ? [] : [`${label}: ${reason.replaceAll(/[\r\n]+/g, ' ')}`];

/** When it happened, and the way to say that it was somebody else. */
const notYouInEnglish = ({ happenedAt, denialLink }: Given): string[] => [
  `When: ${happenedAt}`,
  'If this was not you, say so here. We then end every login and stop withdrawals:',
  denialLink,
];

const english: Texts = {
  paid: ({ amount, method, paidAmount, reference }, { brand, site, ...given }) => ({
    subject: `${brand} paid your withdrawal`,
    lines: [
      `Your withdrawal of ${given.points(amount)} was paid: ` +
        `${given.paid(method, paidAmount)} by ${given.method(method)}.`,
      ...(reference === null ? [] : [`Transaction: ${reference}`]),
      `Your withdrawals: ${site}/withdrawal`,
    ],
  }),
  rejected: (facts, { brand, site, ...given }) => {
    const amount = given.points(facts.amount);
    const because = reasonLines('Reason', facts.reason);
    if (facts.about === 'withdrawal')
      return {
        subject:
          facts.code === 'failed' ? `Your ${brand} withdrawal failed` : `${brand} rejected your withdrawal`,
        lines: [
          `Your withdrawal of ${amount} by ${given.method(facts.method)} ` +
            `${facts.code === 'failed' ? 'could not be paid' : 'was rejected'}.`,
          ...because,
          'The points are back in your balance.',
          `Your withdrawals: ${site}/withdrawal`,
        ],
      };
    return {
      subject: `A credit of ${amount} was rejected`,
      lines: [
        `The credit of ${amount} from ${given.provider(facts.provider)}, which was being checked, was rejected.`,
        ...because,
        `Your history: ${site}/history`,
      ],
    };
  },
  chargeback: ({ amount, provider, reason }, { brand, site, ...given }) => ({
    subject: `${given.provider(provider)} took ${given.points(amount)} back`,
    lines: [
      provider === MANUAL_PROVIDER
        ? `An operator took back ${given.points(amount)} from your ${brand} account.`
        : `${given.provider(provider)} took back ${given.points(amount)} ` +
          `that it had credited to your ${brand} account.`,
      ...reasonLines('Reason', reason),
      `Your chargebacks: ${site}/chargeback-history`,
    ],
  }),
  held: ({ amount, provider }, { brand, site, ...given }) => ({
    subject: `A credit of ${given.points(amount)} is being checked`,
    lines: [
      `${given.provider(provider)} credited ${given.points(amount)} to your ${brand} account.`,
      'An operator checks the credit before it counts. You hear from us when it is decided.',
      `Your history: ${site}/history`,
    ],
  }),
  approved: ({ amount, provider }, { site, ...given }) => ({
    subject: `${given.points(amount)} were credited`,
    lines: [
      `The credit of ${given.points(amount)} from ${given.provider(provider)} was checked.`,
      'The points are in your balance.',
      `Your history: ${site}/history`,
    ],
  }),
  granted: ({ amount, reason }, { brand, site, ...given }) => ({
    subject: `${brand} gave you ${given.points(amount)}`,
    lines: [
      `${given.points(amount)} from ${brand} are in your balance.`,
      ...reasonLines('Reason', reason),
      `Your history: ${site}/history`,
    ],
  }),
  decision: decisionMails.en,
  ticket: ticketTexts.en,
  message: messageTexts.en,
  'sign-in': ({ address, userAgent }, given) => ({
    subject: `A new login to your ${given.brand} account`,
    lines: [
      `Somebody logged in to your ${given.brand} account with a browser that we did not know.`,
      `Browser: ${deviceNameIn('en', userAgent)}`,
      `Network address: ${address}`,
      ...notYouInEnglish(given),
    ],
  }),
  security: (facts, given) => {
    const { change } = facts;
    const [subject, ...lines] = englishChanges(given, heldOf(facts, given))[change];
    return { subject, lines: change === 'denied' ? lines : [...lines, ...notYouInEnglish(given)] };
  },
};

type ChangeTexts = Record<SecurityChange, [subject: string, ...lines: string[]]>;

/** The withdrawal that waits, as text; empty where the notice is about none. */
const heldOf = ({ method, amount, address, holdUntil }: NoticeFacts<'security'>, given: Given) => ({
  method: method === null ? '' : given.method(method),
  amount: amount === null ? '' : given.points(amount),
  to: shortenMiddle(address ?? ''),
  until: holdUntil === null ? '' : given.time(holdUntil),
});

const englishChanges = ({ brand, site }: Given, held: ReturnType<typeof heldOf>): ChangeTexts => ({
  password: [`Your ${brand} password was changed`, `A password was chosen for your ${brand} account.`],
  'password-google-unlinked': [
    `Your ${brand} password was changed`,
    `A password was chosen for your ${brand} account. Google does not open the account any more.`,
    `To use Google again, log in with the new password and link it in your settings: ${site}/settings`,
  ],
  phone: [
    `The phone number of your ${brand} account was changed`,
    `A phone number was verified for your ${brand} account.`,
  ],
  'first-phone': [
    `The phone number of your ${brand} account is verified`,
    `A phone number, which withdrawals need, was verified for your ${brand} account.`,
  ],
  'google-linked': [
    `Google now opens your ${brand} account`,
    `Somebody signed in to your ${brand} account with the Google account of this address.`,
    'You can use Google or your password from now on.',
  ],
  'google-linked-password-removed': [
    `Google now opens your ${brand} account`,
    `You signed in to ${brand} with Google. This address had never been confirmed here.`,
    'So the old password was removed, and every other session has ended.',
    `You can choose a new password here: ${site}/auth?tab=forgot`,
  ],
  address: [
    `A withdrawal from your ${brand} account was requested`,
    `Somebody who is logged in to your account requested a withdrawal of ${held.amount} by ${held.method}.`,
    `To: ${held.to}`,
    `It is paid no sooner than ${held.until}.`,
  ],
  denied: [
    `Your ${brand} account is locked`,
    'You said that an act on your account was not yours. Every login has ended, and withdrawals are stopped.',
    `Nobody can log in until you choose a new password by mail: ${site}/auth?tab=forgot`,
    'Withdrawals open again 24 hours after that. If you log in with Google, link it again in your settings.',
  ],
});

const notYouInKorean = ({ happenedAt, denialLink }: Given): string[] => [
  `일시: ${happenedAt}`,
  '본인이 아니라면 여기에서 알려 주세요. 모든 기기에서 로그아웃하고 출금을 정지합니다:',
  denialLink,
];

const korean: Texts = {
  paid: ({ amount, method, paidAmount, reference }, { brand, site, ...given }) => ({
    subject: `${brand} 출금이 지급되었습니다`,
    lines: [
      `신청하신 출금 ${given.points(amount)}를 ` +
        `${given.method(method)} ${given.paid(method, paidAmount)}로 지급했습니다.`,
      ...(reference === null ? [] : [`거래 번호: ${reference}`]),
      `출금 내역: ${site}/withdrawal`,
    ],
  }),
  rejected: (facts, { brand, site, ...given }) => {
    const amount = given.points(facts.amount);
    const because = reasonLines('이유', facts.reason);
    if (facts.about === 'withdrawal')
      return {
        subject:
          facts.code === 'failed' ? `${brand} 출금을 지급하지 못했습니다` : `${brand} 출금을 거절했습니다`,
        lines: [
          `${given.method(facts.method)} 출금 ${amount}를 ` +
            `${facts.code === 'failed' ? '지급하지 못했습니다' : '거절했습니다'}.`,
          ...because,
          '포인트는 잔액으로 돌려 드렸습니다.',
          `출금 내역: ${site}/withdrawal`,
        ],
      };
    return {
      subject: `적립 ${amount}를 거절했습니다`,
      lines: [
        `확인 중이던 ${given.provider(facts.provider)} 적립 ${amount}를 거절했습니다.`,
        ...because,
        `내역: ${site}/history`,
      ],
    };
  },
  chargeback: ({ amount, provider, reason }, { brand, site, ...given }) => ({
    subject: `${given.provider(provider)}에서 ${given.points(amount)}를 회수했습니다`,
    lines: [
      provider === MANUAL_PROVIDER
        ? `운영자가 ${brand} 계정에서 ${given.points(amount)}를 회수했습니다.`
        : `${given.provider(provider)}에서 ${brand} 계정에 적립했던 ${given.points(amount)}를 회수했습니다.`,
      ...reasonLines('이유', reason),
      `회수 내역: ${site}/chargeback-history`,
    ],
  }),
  held: ({ amount, provider }, { brand, site, ...given }) => ({
    subject: `적립 ${given.points(amount)}를 확인하고 있습니다`,
    lines: [
      `${given.provider(provider)}에서 ${brand} 계정에 ${given.points(amount)}를 적립했습니다.`,
      '운영자가 확인한 뒤에 반영됩니다. 결정되면 알려 드립니다.',
      `내역: ${site}/history`,
    ],
  }),
  approved: ({ amount, provider }, { site, ...given }) => ({
    subject: `${given.points(amount)}가 적립되었습니다`,
    lines: [
      `${given.provider(provider)} 적립 ${given.points(amount)}를 확인했습니다.`,
      '포인트가 잔액에 반영되었습니다.',
      `내역: ${site}/history`,
    ],
  }),
  granted: ({ amount, reason }, { brand, site, ...given }) => ({
    subject: `${brand}에서 ${given.points(amount)}를 지급했습니다`,
    lines: [
      `${brand}에서 지급한 ${given.points(amount)}가 잔액에 반영되었습니다.`,
      ...reasonLines('이유', reason),
      `내역: ${site}/history`,
    ],
  }),
  decision: decisionMails.ko,
  ticket: ticketTexts.ko,
  message: messageTexts.ko,
  'sign-in': ({ address, userAgent }, given) => ({
    subject: `새 브라우저에서 ${given.brand} 계정에 로그인되었습니다`,
    lines: [
      `처음 보는 브라우저에서 회원님의 ${given.brand} 계정에 로그인되었습니다.`,
      `브라우저: ${deviceNameIn('ko', userAgent)}`,
      `접속 IP 주소: ${address}`,
      ...notYouInKorean(given),
    ],
  }),
  security: (facts, given) => {
    const { change } = facts;
    const [subject, ...lines] = koreanChanges(given, heldOf(facts, given))[change];
    return { subject, lines: change === 'denied' ? lines : [...lines, ...notYouInKorean(given)] };
  },
};

const koreanChanges = ({ brand, site }: Given, held: ReturnType<typeof heldOf>): ChangeTexts => ({
  password: [`${brand} 비밀번호가 바뀌었습니다`, `${brand} 계정의 비밀번호가 변경되었습니다.`],
  'password-google-unlinked': [
    `${brand} 비밀번호가 바뀌었습니다`,
    `${brand} 계정의 비밀번호가 변경되었습니다. 이제 Google로는 로그인할 수 없습니다.`,
    `Google을 다시 쓰려면 새 비밀번호로 로그인한 뒤 설정에서 다시 연결해 주세요: ${site}/settings`,
  ],
  phone: [`${brand} 계정의 전화번호가 바뀌었습니다`, `${brand} 계정에서 전화번호가 인증되었습니다.`],
  'first-phone': [
    `${brand} 계정의 전화번호가 인증되었습니다`,
    `${brand} 계정에서 출금에 필요한 전화번호 인증이 완료되었습니다.`,
  ],
  'google-linked': [
    `이제 Google로 ${brand}에 로그인할 수 있습니다`,
    `이 이메일 주소의 Google 계정으로 ${brand}에 로그인했습니다.`,
    '앞으로 Google과 비밀번호 모두로 로그인할 수 있습니다.',
  ],
  'google-linked-password-removed': [
    `이제 Google로 ${brand}에 로그인할 수 있습니다`,
    `Google로 ${brand}에 로그인했습니다.`,
    '이 이메일 주소는 확인된 적이 없어 예전 비밀번호를 삭제하고 다른 기기에서 모두 로그아웃했습니다.',
    `새 비밀번호는 여기에서 정할 수 있습니다: ${site}/auth?tab=forgot`,
  ],
  address: [
    `${brand} 계정에서 출금이 신청되었습니다`,
    `회원님의 계정에서 ${held.method} 출금 ${held.amount}가 신청되었습니다.`,
    `받는 곳: ${held.to}`,
    `${held.until} 전에는 지급하지 않습니다.`,
  ],
  denied: [
    `${brand} 계정을 잠갔습니다`,
    '본인이 한 일이 아니라고 알려 주셔서 계정을 잠갔습니다. 모든 기기에서 로그아웃하고 출금을 정지했습니다.',
    `새 비밀번호를 정하기 전에는 아무도 로그인할 수 없습니다. 여기에서 링크를 받아 정해 주세요: ${site}/auth?tab=forgot`,
    '새 비밀번호를 정하고 24시간이 지나면 다시 출금할 수 있습니다. Google 로그인은 설정에서 다시 연결해 주세요.',
  ],
});

/** The line about notices that have no mail of their own. */
const moreLines = {
  en: (count: number, site: string) =>
    `There ${count === 1 ? 'is 1 more notice' : `are ${count.toLocaleString('en')} more notices`} like this one. ` +
    `We mail at most five of a kind an hour. All your notices: ${site}/notices`,
  ko: (count: number, site: string) =>
    `같은 알림이 ${count.toLocaleString('ko')}건 더 있습니다. ` +
    `같은 종류의 알림 메일은 한 시간에 다섯 통까지만 보냅니다. 모든 알림: ${site}/notices`,
};

/** Makes the mail of a notice. */
export function noticeMail<Kind extends NoticeKind>(
  { publicUrl: site, siteTimezone }: Pick<Config, 'publicUrl' | 'siteTimezone'>,
  { name: brand, supportEmail }: Pick<ReturnType<typeof brandOf>, 'name' | 'supportEmail'>,
  kind: Kind,
  facts: NoticeFacts<Kind>,
  { to, language, names, happenedAt, denialToken, moreCount }: NoticeMail,
): Mail {
  const texts: Texts = language === 'ko' ? korean : english;
  const { subject, lines } = texts[kind](facts, {
    brand,
    site,
    denialLink: `${site}/not-me?token=${denialToken}`,
    provider: (id) => (id === MANUAL_PROVIDER ? brand : (names.providers.get(id) ?? id)),
    method: (id) =>
      (language === 'ko' ? names.koreanMethods.get(id) : undefined) ?? names.methods.get(id) ?? id,
    paid: (id, paidAmount) => `${paidAmount} ${names.currencies.get(id) ?? ''}`.trimEnd(),
    happenedAt: timeIn(language, siteTimezone, happenedAt),
    time: (iso) => timeIn(language, siteTimezone, new Date(iso)),
    points: (amount) => `${BigInt(amount.replace('-', '')).toLocaleString(language)} P`,
  });
  const more = moreCount === 0 ? [] : [moreLines[language](moreCount, site)];
  return mailOf({ name: brand, supportEmail }, { to, subject, lines: [...lines, ...more] });
}
