import { promisedDaysOf } from '#contract/processing-time.ts';
import { shortenMiddle } from '#contract/shorten.ts';
import { bracedWordsOf } from '#contract/support-braced-words.ts';
import { type ReplyPlaceholder, replyPlaceholders } from '#contract/support-replies.ts';
import { formatAmount } from '#web/client/format.ts';

/** Fills a canned reply from the member's records. What no record says stays a placeholder, a gap. */

/** The facts that replies may name; undefined where there is no record. */
export type ReplyFacts = Readonly<Record<ReplyPlaceholder, string | undefined>>;

export type Filled = { text: string; used: readonly { name: ReplyPlaceholder; value: string }[] };

const isPlaceholder = (word: string): word is ReplyPlaceholder =>
  replyPlaceholders.some((one) => one === word);

export function fillReply(text: string, facts: ReplyFacts): Filled {
  const named = [...new Set(bracedWordsOf(text))].filter(isPlaceholder);
  const used = named.flatMap((name) => {
    const value = facts[name];
    return value === undefined ? [] : [{ name, value }];
  });
  return {
    text: used.reduce((filled, { name, value }) => filled.replaceAll(`{${name}}`, value), text),
    used,
  };
}

/** The placeholders that still stand in a response. */
export const gapsIn = (response: string): ReplyPlaceholder[] =>
  [...new Set(bracedWordsOf(response))].filter(isPlaceholder);

type Sources = {
  member: { firstName: string; language: 'en' | 'ko' };
  /** The newest withdrawal that waits. */
  waiting: { amount: string; address: string; createdAt: string } | undefined;
  /** The name of its method in the member's language. */
  method: string | undefined;
  /** The site's setting, such as `1-3`. */
  processingTime: string;
  siteTimezone: string;
};

export function replyFactsOf({ member, waiting, method, processingTime, siteTimezone }: Sources): ReplyFacts {
  const { firstName: name, language } = member;
  if (waiting === undefined)
    return {
      name,
      amount: undefined,
      method: undefined,
      requestedAt: undefined,
      deadline: undefined,
      address: undefined,
    };
  const requestedOn = siteDayOf(waiting.createdAt, siteTimezone);
  const days = promisedDaysOf(processingTime);
  return {
    name,
    method,
    amount: formatAmount(waiting.amount).replace('\u00a0', ' '),
    requestedAt: writeDay(requestedOn, language),
    deadline: days === null ? undefined : writeDay(afterBusinessDays(requestedOn, days), language),
    address: shortenMiddle(waiting.address),
  };
}

/** A day of the site's calendar, as midnight in UTC. */
function siteDayOf(iso: string, timeZone: string): Date {
  const day = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(new Date(iso));
  return new Date(`${day}T00:00:00Z`);
}

/** As the server counts them: Monday to Friday, without holidays. */
function afterBusinessDays(day: Date, days: number): Date {
  const reached = new Date(day);
  for (let left = days; left > 0; ) {
    reached.setUTCDate(reached.getUTCDate() + 1);
    if (reached.getUTCDay() !== 0 && reached.getUTCDay() !== 6) left -= 1;
  }
  return reached;
}

const writeDay = (day: Date, language: string): string =>
  new Intl.DateTimeFormat(language, { month: 'long', day: 'numeric', timeZone: 'UTC' }).format(day);
