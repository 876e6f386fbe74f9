import type { TFunction } from 'i18next';
import { MANUAL_PROVIDER } from '#contract/earning-chargebacks.ts';
import type { Notice, NoticeFacts } from '#contract/notices.ts';
import { deviceNameIn } from '#contract/user-agent.ts';
import { formatAmount, formatTime } from '#web/client/format.ts';
import type { Language } from '#web/client/languages.ts';

/** The sentences of a notice, from its kind and facts. */

/** The display names of a provider and of a payment method, and the symbol of the method's currency. */
export type Names = {
  provider(id: string): string;
  method(id: string): string;
  currency(method: string): string;
};

/** Points without a sign, because the sentence says where they went. */
const amountOf = (amount: string): string => formatAmount(amount.replace('-', ''));

/** What was turned down: a credit or a request, or an approved request whose payment failed. */
function turnedDown(facts: NoticeFacts<'rejected'>) {
  if (facts.about === 'earning') return 'rejected-earning';
  return facts.code === 'failed' ? 'failed-withdrawal' : 'rejected-withdrawal';
}

export function titleOf(notice: Notice, t: TFunction): string {
  switch (notice.kind) {
    case 'rejected':
      return t(`notices.title.${turnedDown(notice.facts)}`);
    case 'decision':
      return decisionTitle(notice.facts, t);
    case 'ticket':
      return t(`notices.title.${notice.facts.change}`);
    case 'security':
      return t(`notices.title.security-${notice.facts.change}`);
    default:
      return t(`notices.title.${notice.kind}`);
  }
}

function decisionTitle(facts: NoticeFacts<'decision'>, t: TFunction): string {
  if ('suspensionType' in facts) return t(`notices.title.decision-${facts.decision}-${facts.suspensionType}`);
  return t(`notices.title.decision-${facts.decision}`);
}

function decisionText(facts: NoticeFacts<'decision'>, t: TFunction): string {
  if (facts.decision === 'report-decided') return t(`notices.text.decision-report-decided-${facts.outcome}`);
  if (facts.decision === 'appeal-answered') return t(`notices.text.decision-appeal-${facts.outcome}`);
  if ('suspensionType' in facts) return t(`notices.text.decision-${facts.decision}-${facts.suspensionType}`);
  return t(`notices.text.decision-${facts.decision}`);
}

/** What happened. Addresses are not part of the sentence, because they are shown in another font. */
export function textOf(notice: Notice, names: Names, t: TFunction, language: Language): string {
  switch (notice.kind) {
    case 'paid': {
      const { amount, paidAmount, method } = notice.facts;
      const paid = `${paidAmount} ${names.currency(method)}`.trimEnd();
      return t('notices.text.paid', { amount: amountOf(amount), paid, method: names.method(method) });
    }
    case 'rejected': {
      const { facts } = notice;
      const amount = amountOf(facts.amount);
      return facts.about === 'withdrawal'
        ? t(`notices.text.${turnedDown(facts)}`, { amount, method: names.method(facts.method) })
        : t('notices.text.rejected-earning', { amount, provider: names.provider(facts.provider) });
    }
    case 'chargeback':
    case 'held':
    case 'approved': {
      const { amount, provider } = notice.facts;
      if (provider === MANUAL_PROVIDER)
        return t('notices.text.chargeback-manual', { amount: amountOf(amount) });
      return t(`notices.text.${notice.kind}`, {
        amount: amountOf(amount),
        provider: names.provider(provider),
      });
    }
    case 'granted':
      return t('notices.text.granted', { amount: amountOf(notice.facts.amount) });
    case 'decision': {
      const { facts } = notice;
      const what = decisionText(facts, t);
      if (!('expiresAt' in facts) || facts.expiresAt === null) return what;
      return `${what} ${t('notices.text.decision-until', { time: formatTime(facts.expiresAt, language) })}`;
    }
    case 'ticket': {
      const { facts } = notice;
      return t(`notices.text.${facts.change}`, {
        provider: names.provider(facts.provider),
        time: facts.change === 'claim-asked' ? formatTime(facts.answerBy, language) : '',
      });
    }
    case 'message':
      return notice.facts.text;
    case 'sign-in':
      return deviceNameIn(language, notice.facts.userAgent);
    case 'security': {
      const { change, method, amount, holdUntil } = notice.facts;
      return t(`notices.text.security-${change}`, {
        amount: amount === null ? '' : amountOf(amount),
        method: method === null ? '' : names.method(method),
        time: holdUntil === null ? '' : formatTime(holdUntil, language),
      });
    }
  }
}

/** The reason that an operator or a provider gave; empty if there is none. */
export const reasonOf = ({ facts }: Notice): string => ('reason' in facts ? (facts.reason ?? '') : '');

const pages = {
  paid: '/withdrawal',
  rejected: '/history',
  chargeback: '/chargeback-history',
  held: '/history',
  approved: '/history',
  granted: '/history',
  decision: '/decisions',
  ticket: '/earn',
  message: '/notices',
  'sign-in': '/settings',
  security: '/settings',
} as const;

/** A warning, the outcome of a report and a long absence are no decisions that the page of decisions lists. */
const isOnDecisions = ({ decision }: NoticeFacts<'decision'>): boolean =>
  decision !== 'chat-warned' && decision !== 'report-decided' && decision !== 'inactive';

/** The page that shows more about it. A hash is the id of the withdrawal there. */
export function pageOf(notice: Notice) {
  const id = 'withdrawalId' in notice.facts ? notice.facts.withdrawalId : null;
  if (id !== null) return { to: '/withdrawal', hash: id } as const;
  if (notice.kind === 'decision' && !isOnDecisions(notice.facts)) return { to: '/notices' } as const;
  return { to: pages[notice.kind] } as const;
}
