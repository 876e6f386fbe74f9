import { UNSUBSCRIBE_PAGE } from '#contract/broadcasts.ts';
import { broadcastWords } from '#contract/broadcasts-mail.ts';
import type { Config } from '#platform/config.ts';
import { type Mail, mailOf } from '#platform/mail.ts';
import type { Platform } from '#platform/platform.ts';
import type { brandOf } from '../members/members.ts';
import type { ClaimedMail } from './sending-queries.ts';
import { unsubscribeTokenOf } from './unsubscribe.ts';

/**
 * The mail of a broadcast in its member's language; without a Korean text, the English one. A mail of news says how to
 * end such mails, also to mail programs (RFC 2369, RFC 8058). One about the terms goes to all members.
 */
export type MailParts = Pick<Platform, 'secrets'> & { config: Pick<Config, 'publicUrl'> };
type Brand = ReturnType<typeof brandOf>;
type Language = 'en' | 'ko';
export type MailFacts = Pick<
  ClaimedMail,
  | 'memberId'
  | 'kind'
  | 'effectiveOn'
  | 'email'
  | 'firstName'
  | 'language'
  | 'subject'
  | 'content'
  | 'subjectKo'
  | 'contentKo'
>;

const termsTexts = {
  en: (day: string, page: string) =>
    `The changed terms are in force from ${day}. You find them here: ${page}\n` +
    'Every member gets this mail, because it is about the terms.',
  ko: (day: string, page: string) =>
    `바뀐 약관은 ${day}부터 적용됩니다. 약관 보기: ${page}\n약관에 관한 안내라서 모든 회원에게 보냅니다.`,
} as const;

/** The language in which a member reads a broadcast: its text must exist. */
const textOf = (facts: MailFacts): { language: Language; subject: string; content: string } => ({
  language: facts.language,
  subject: facts.language === 'ko' ? (facts.subjectKo ?? facts.subject) : facts.subject,
  content: facts.language === 'ko' ? (facts.contentKo ?? facts.content) : facts.content,
});

/** Makes the mail, which is the same for every attempt. */
export function broadcastMail(parts: MailParts, brand: Brand, facts: MailFacts): Mail {
  const { publicUrl } = parts.config;
  const { language, subject, content } = textOf(facts);
  const { greeting, why } = broadcastWords[language];
  const isTerms = facts.kind === 'terms' && facts.effectiveOn !== null;
  const token = unsubscribeTokenOf(parts, facts.memberId);
  const lines = [
    greeting(facts.firstName),
    content,
    isTerms
      ? termsTexts[language](facts.effectiveOn ?? '', `${publicUrl}/terms`)
      : `${why}\n${publicUrl}${UNSUBSCRIBE_PAGE}?token=${token}`,
  ];
  const mail = mailOf(brand, { to: facts.email, subject, lines });
  return isTerms
    ? mail
    : {
        ...mail,
        headers: {
          'List-Unsubscribe': `<${publicUrl}/api/unsubscribe/${token}>`,
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        },
      };
}

const PURPOSE = 'mail of a broadcast';
const ENVELOPE_PURPOSE = 'sender of a mail of a broadcast';
const MESSAGE_ID = /^<broadcast\.([1-9]\d{0,17})\.([1-9]\d{8})\.([\w-]{20,80})@/;

/**
 * The same for every attempt, so that a mailbox recognises a copy. It is signed, because a report about a mail names it
 * and a stranger could write one.
 */
export function broadcastMessageId(parts: MailParts, broadcastId: bigint, memberId: number): string {
  const name = `${broadcastId}.${memberId}`;
  const { hostname } = new URL(parts.config.publicUrl);
  return `<broadcast.${name}.${parts.secrets.sign(name, PURPOSE)}@${hostname}>`;
}

const IN_ADDRESS = /\+([1-9a-z][\da-z]{0,11})-([1-9a-z][\da-z]{0,5})-([\da-f]{32})@/i;

/**
 * The address to which mail servers report about a mail: with a token behind the name, which names the mail (VERP). It
 * has no capital letters, because some servers don't keep them.
 */
export function reportAddress(
  { secrets }: Pick<MailParts, 'secrets'>,
  bounceAddress: string,
  { broadcastId, memberId }: NamedMail,
): string {
  const [name = '', host = ''] = bounceAddress.split('@');
  const signature = secrets.signShort(`${broadcastId}.${memberId}`, ENVELOPE_PURPOSE);
  return `${name}+${broadcastId.toString(36)}-${memberId.toString(36)}-${signature}@${host}`;
}

/** The mail that an address of `reportAddress` in a text names; undefined if there is none. */
export function mailNamedByAddress(
  { secrets }: Pick<MailParts, 'secrets'>,
  text: string,
): NamedMail | undefined {
  const [, broadcast = '', member = '', signature = ''] = IN_ADDRESS.exec(text) ?? [];
  if (signature === '') return undefined;
  const named = { broadcastId: numberIn(broadcast), memberId: Number.parseInt(member, 36) };
  const isOurs = secrets.isSignedShort(`${named.broadcastId}.${named.memberId}`, signature, ENVELOPE_PURPOSE);
  return isOurs ? named : undefined;
}

const numberIn = (digits: string): bigint =>
  [...digits].reduce((sum, digit) => sum * 36n + BigInt(Number.parseInt(digit, 36)), 0n);

export type NamedMail = { broadcastId: bigint; memberId: number };

/** The mail that a Message-ID names; undefined if this site did not make it. */
export function mailNamedBy(
  { secrets }: Pick<MailParts, 'secrets'>,
  messageId: string,
): NamedMail | undefined {
  const [, broadcastId = '', memberId = '', signature = ''] = MESSAGE_ID.exec(messageId) ?? [];
  if (!secrets.isSigned(`${broadcastId}.${memberId}`, signature, PURPOSE)) return undefined;
  return { broadcastId: BigInt(broadcastId), memberId: Number(memberId) };
}
