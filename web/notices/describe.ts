import type { TFunction } from 'i18next';
import type { Notice } from '#contract/notices.ts';
import { formatAmount, formatTimeInFull } from '#web/client/format.ts';

/** The sentences of a notice, from its kind and facts. */

/** The display names of a provider and of a payment method. */
export type Names = { provider(id: string): string; method(id: string): string };

/** Points without a sign, because the sentence says where they went. */
const amountOf = (amount: string): string => formatAmount(amount.replace('-', ''));

export function titleOf(notice: Notice, t: TFunction): string {
  switch (notice.kind) {
    case 'rejected':
      return t(`notices.title.rejected-${notice.facts.about}`);
    case 'security':
      return t(`notices.title.security-${notice.facts.change}`);
    default:
      return t(`notices.title.${notice.kind}`);
  }
}

export function textOf(notice: Notice, names: Names, t: TFunction, language: string): string {
  switch (notice.kind) {
    case 'paid': {
      const { amount, paidAmount, method } = notice.facts;
      return t('notices.text.paid', { amount: amountOf(amount), paidAmount, method: names.method(method) });
    }
    case 'rejected': {
      const { facts } = notice;
      const amount = amountOf(facts.amount);
      return facts.about === 'withdrawal'
        ? t('notices.text.rejected-withdrawal', { amount, method: names.method(facts.method) })
        : t('notices.text.rejected-earning', { amount, provider: names.provider(facts.provider) });
    }
    case 'chargeback':
    case 'held':
    case 'approved': {
      const { amount, provider } = notice.facts;
      return t(`notices.text.${notice.kind}`, {
        amount: amountOf(amount),
        provider: names.provider(provider),
      });
    }
    case 'sign-in':
      return t('notices.text.sign-in', { address: notice.facts.address });
    case 'security': {
      const { change, method, address, holdUntil } = notice.facts;
      return t(`notices.text.security-${change}`, {
        method: method === null ? '' : names.method(method),
        address,
        time: holdUntil === null ? '' : formatTimeInFull(holdUntil, language),
      });
    }
  }
}

/** The reason that an operator or a provider gave; empty if there is none. */
export const reasonOf = ({ kind, facts }: Notice): string =>
  kind === 'rejected' || kind === 'chargeback' ? (facts.reason ?? '') : '';

const pages = {
  paid: '/withdrawal',
  chargeback: '/chargeback-history',
  held: '/history',
  approved: '/history',
  'sign-in': '/settings',
  security: '/settings',
} as const;

/** The page that shows more about it. */
export const pageOf = (notice: Notice) =>
  notice.kind === 'rejected'
    ? notice.facts.about === 'withdrawal'
      ? '/withdrawal'
      : '/history'
    : pages[notice.kind];
