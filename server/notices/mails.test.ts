import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { NoticeKind } from '#contract/notice-kinds.ts';
import type { NoticeFacts } from '#contract/notices.ts';
import { koreanMethodNames } from '../withdrawals/payment-methods.ts';
import { noticeMail } from './mails.ts';

/** The texts of the mails of notices, in both languages. */
const names = {
  providers: new Map([['cpx', 'CPX Research']]),
  methods: new Map([['litecoin', 'Litecoin']]),
  koreanMethods: koreanMethodNames,
  currencies: new Map([['litecoin', 'LTC']]),
};
const site = { publicUrl: 'https://points.example', siteTimezone: 'Asia/Seoul' };
const languages = ['en', 'ko'] as const;
const mailOf = <Kind extends NoticeKind>(language: 'en' | 'ko', kind: Kind, facts: NoticeFacts<Kind>) =>
  noticeMail(site, brand, kind, facts, {
    to: 'reader@example.com',
    language,
    names,
    happenedAt: new Date('2026-11-26T22:33:20Z'),
    denialToken: '123456789-1-signature',
    moreCount: 0,
  });
const brand = { name: 'Earnest', supportEmail: 'support@points.example' };
const held: NoticeFacts<'held'> = { provider: 'cpx', amount: '12000', subject: 'A long survey' };
const withdrawal = { withdrawalId: 'w', method: 'litecoin', amount: '1000' };
const security = { withdrawalId: null, method: null, amount: null, address: null, holdUntil: null };
const ADDRESS = 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn';
const cases: { [Kind in NoticeKind]: [NoticeFacts<Kind>, en: RegExp, ko: RegExp] } = {
  paid: [
    { ...withdrawal, paidAmount: '0.01242236', reference: 'a'.repeat(64) },
    /1,000 P was paid: 0\.01242236 LTC by Litecoin\.\n\nTransaction: a{64}\n\n.*\/withdrawal/,
    /1,000 P를 라이트코인 0\.01242236 LTC로 지급했습니다\.\n\n거래 번호: a{64}/,
  ],
  rejected: [
    { ...withdrawal, about: 'withdrawal', code: 'operator', reason: 'Not\nyours' },
    /1,000 P by Litecoin was rejected\.\n\nReason: Not yours\n/,
    /라이트코인 출금 1,000 P를 거절했습니다\.\n\n이유: Not yours/,
  ],
  decision: [
    {
      decision: 'suspended',
      suspensionType: 'withdrawal_blocked',
      reason: 'New address',
      expiresAt: '2030-01-02T03:04:05.000Z',
    },
    /You can’t withdraw for now\.\n\nIt lasts until .+\.\n\nReason: New address/,
    /지금은 출금할 수 없습니다\.\n\n.+까지입니다\.\n\n이유: New address/,
  ],
  chargeback: [
    { provider: 'cpx', amount: '-1500', reason: 'VPN' },
    /CPX Research took back 1,500 P .*\n\nReason: VPN\n\n.*\/chargeback-history/,
    /CPX Research에서 .* 1,500 P를 회수했습니다/,
  ],
  held: [held, /CPX Research credited 12,000 P/, /CPX Research에서 .* 12,000 P를 적립했습니다/],
  approved: [held, /12,000 P from CPX Research was checked/, /CPX Research 적립 12,000 P를 확인했습니다/],
  granted: [
    { amount: '500', reason: 'A survey\nclosed halfway' },
    /500 P from .+ are in your balance\.\n\nReason: A survey closed halfway\n\n.*\/history/,
    /500 P가 잔액에 반영되었습니다\.\n\n이유: A survey closed halfway/,
  ],
  ticket: [
    { change: 'claim-refused', provider: 'cpx', reason: 'The survey\nwas not finished' },
    /a credit of CPX Research did not arrive was turned down\.\n\nReason: The survey was not finished/,
    /CPX Research 적립이 들어오지 않았다는 신청이 받아들여지지 않았습니다\.\n\n이유: The survey was not finished/,
  ],
  message: [
    { text: 'Was the new address yours?\n\nPlease answer.' },
    /Was the new address yours\?\n\nPlease answer\.\n\n.*\/notices/,
    /Please answer\.\n\n알림: .*\/notices/,
  ],
  'sign-in': [
    { userAgent: 'Evil (Windows), click http://evil.example', address: '203.0.113.9' },
    /Windows\n\nNetwork .+: 203\.0\.113\.9\n\nWhen: .*\n\n.*\n\n.*\/\/points\.example\/not-me\?token=\d{9}-\d+-[\w-]+/,
    /브라우저: Windows의 알 수 없는 브라우저\n\n접속 IP 주소: 203\.0\.113\.9/,
  ],
  security: [{ ...security, change: 'phone' }, /A phone number was verified/, /전화번호가 인증되었습니다/],
};

describe('the text of a mail', () => {
  it('says what happened in the reader’s language, without the text of a browser', () => {
    for (const language of languages)
      for (const [kind, [facts, en, ko]] of Object.entries(cases)) {
        const { subject, text } = mailOf(language, kind as NoticeKind, facts as NoticeFacts);
        assert.match(text, language === 'en' ? en : ko, `${kind} ${language}`);
        assert.doesNotMatch(`${subject} ${text}`, /undefined|null|evil/, `${kind} ${language}`);
      }
  });
  it('names a method in the reader’s language, and a time in the site’s zone', () => {
    const holdUntil = '2026-11-24T01:30:00Z';
    const facts = { ...security, ...withdrawal, change: 'address', address: ADDRESS, holdUntil } as const;
    const en = mailOf('en', 'security', facts).text;
    const ko = mailOf('ko', 'security', facts).text;
    assert.match(en, /withdrawal of 1,000 P by Litecoin\.\n\nTo: ltc1qw50…5xw7kgmn\n/);
    assert.match(ko, /라이트코인 출금 1,000 P가 신청되었습니다\.\n\n받는 곳: ltc1qw50…5xw7kgmn\n/);
    assert.match(en, /\n\nIt is paid no sooner than Nov 24, 2026, 10:30 AM \(Korean Standard Time\)\./);
    assert.match(ko, /\n\n2026년 11월 24일 오전 10:30\([^)]+ 표준시\) 전에는 지급하지 않습니다\./);
  });
  it('says when a login or a change of security happened, in the site’s zone', () => {
    for (const text of [
      mailOf('en', 'sign-in', cases['sign-in'][0]).text,
      mailOf('en', 'security', cases.security[0]).text,
    ])
      assert.match(text, /\n\nWhen: Nov 27, 2026, 7:33 AM \(Korean Standard Time\)\n\nIf this was not you/);
    const korean = mailOf('ko', 'sign-in', cases['sign-in'][0]).text;
    assert.match(korean, /\n\n일시: 2026년 11월 27일 오전 7:33\([^)]+ 표준시\)\n\n본인이 아니라면/);
  });
  it('names in its subject what is suspended, which is not the account where it is open', () => {
    const facts = { decision: 'suspended', reason: 'New address', expiresAt: null } as const;
    const subjects = (['earnings_blocked', 'withdrawal_blocked', 'full_suspension'] as const).map(
      (suspensionType) => mailOf('en', 'decision', { ...facts, suspensionType }).subject,
    );
    assert.match(
      subjects.join('; '),
      /^Earning on .+ is suspended; Withdrawals from .+ are suspended; Your .+ is suspended$/,
    );
  });
  it('asks for an objection to a suspension, and for none when it is lifted', () => {
    const objection = { en: /If you think that this is wrong/, ko: /잘못되었다고 생각하시면/ };
    const facts = { suspensionType: 'full_suspension', reason: 'New address', expiresAt: null } as const;
    for (const language of languages) {
      const suspended = mailOf(language, 'decision', { ...facts, decision: 'suspended' });
      assert.match(suspended.text, objection[language]);
      const lifted = mailOf(language, 'decision', { ...facts, decision: 'lifted' });
      assert.doesNotMatch(lifted.text, objection[language]);
    }
  });
  it('says what an operator decided in the chat, and that a member was away', () => {
    const expiresAt = '2026-11-24T01:30:00Z';
    const reason = 'Begging\nfor codes';
    const told: [NoticeFacts<'decision'>, en: RegExp, ko: RegExp][] = [
      [
        { decision: 'chat-banned', reason, expiresAt },
        /until Nov 24, 2026, 10:30 AM .*\n\nReason: Begging for codes\n/,
        /2026년 11월 24일 오전 10:30.*까지 채팅에 글을 쓸 수 없습니다.*\n\n이유: Begging for codes\n/,
      ],
      [{ decision: 'chat-banned', reason, expiresAt: null }, /until the ban is lifted/, /해제될 때까지/],
      [{ decision: 'inactive', since: expiresAt }, /nothing is taken by itself/, /저절로 사라지지 않습니다/],
      [{ decision: 'chat-unbanned' }, /was lifted/, /채팅 정지가 해제되었습니다/],
      [{ decision: 'chat-warned', reason }, /Reason: Begging for codes\n/, /이유: Begging for codes\n/],
      [{ decision: 'report-decided', outcome: 'leave' }, /breaks no rule/, /그대로 두었습니다/],
      [{ decision: 'report-decided', outcome: 'delete' }, /taken out of the chat\./, /채팅에서 삭제했습니다/],
      [{ decision: 'report-decided', outcome: 'warn' }, /was warned/, /경고했습니다/],
      [{ decision: 'report-decided', outcome: 'ban' }, /was banned/, /정지했습니다/],
    ];
    for (const [facts, en, ko] of told)
      for (const language of languages) {
        const { subject, text } = mailOf(language, 'decision', facts);
        assert.match(text, language === 'en' ? en : ko);
        assert.doesNotMatch(`${subject} ${text}`, /undefined|null/);
      }
  });
  it('calls a first phone number no change', () => {
    const words = { en: [/is verified$/, /changed/], ko: [/인증되었습니다$/, /변경|바뀌/] } as const;
    for (const language of languages) {
      const { subject, text } = mailOf(language, 'security', { ...security, change: 'first-phone' });
      assert.match(subject, words[language][0]);
      assert.doesNotMatch(`${subject} ${text}`, words[language][1]);
    }
  });
  it('tells a payment that failed from a request that an operator rejected', () => {
    const said = { en: /could not be paid\./, ko: /라이트코인 출금 1,000 P를 지급하지 못했습니다\./ };
    for (const language of languages) {
      const facts = { ...withdrawal, about: 'withdrawal', code: 'failed', reason: 'No coins' } as const;
      const { subject, text } = mailOf(language, 'rejected', facts);
      assert.match(text, said[language]);
      assert.doesNotMatch(`${subject} ${text}`, /reject|거절/);
    }
  });
});
