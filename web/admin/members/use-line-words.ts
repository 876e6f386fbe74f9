import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { securityChanges } from '#contract/notices.ts';
import type { TimelineLine } from '#contract/timeline.ts';
import { deviceNameIn } from '#contract/user-agent.ts';
import { useActNames } from '#web/admin/kit/act-names.ts';
import { formatAmount, formatTime } from '#web/client/format.ts';
import { useProviders } from '#web/client/session.ts';
import { useRailWords } from '#web/ui/rails.ts';

/** What a line of the timeline says, in the reader's language, from its kind and facts. */
export type LineWords = { title: string; detail: string };

type NameOf = (id: string) => string;
type Names = { providerOf: NameOf; methodOf: NameOf; actOf: NameOf };
type Facts = Readonly<Record<string, string>>;
type Words = { t: TFunction; language: 'en' | 'ko'; facts: Facts } & Names;

export function useLineWords(): (line: TimelineLine) => LineWords {
  const { t, i18n } = useTranslation();
  const findProvider = useProviders();
  const { nameOf } = useRailWords();
  const actOf = useActNames();
  const language = i18n.language === 'ko' ? 'ko' : 'en';
  const providerOf = (id: string) => findProvider(id)?.name ?? id;
  return (line) => {
    // A fact that is null or missing reads as an empty text.
    const facts = new Proxy(line.facts as Facts, { get: (all, name) => all[String(name)] ?? '' });
    const words = { t, language, facts, providerOf, methodOf: nameOf, actOf } as const;
    return { title: titleOf(line, words), detail: detailOf(line, words) };
  };
}

/** Parts of a sentence that are there, one after the other. */
const inOneLine = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(' · ');

function titleOf({ kind, text }: TimelineLine, { t, facts, providerOf, methodOf, actOf }: Words): string {
  const method = methodOf(facts.method ?? '');
  switch (kind) {
    case 'earning':
      return `${facts.sourceName}: ${
        facts.subject || t(facts.isScreenOut ? 'member.screenedOut' : 'member.completed')
      }`;
    case 'reversal':
      return t('member.lines.reversal', { provider: facts.sourceName || t('member.byOperator') });
    case 'bonus':
      return t('member.lines.bonus', { day: facts.subject });
    case 'coinflip-stake':
    case 'coinflip-prize':
      return t(`member.lines.${kind}`, {
        side: t(facts.subject === 'heads' ? 'member.heads' : 'member.tails'),
      });
    case 'withdrawal':
    case 'withdrawal-return':
      return t(`member.lines.${kind}`, { method: methodOf(facts.subject ?? '') });
    case 'withdrawal-approved':
    case 'withdrawal-rejected':
      return t(`member.lines.${kind}`, { method, amount: formatAmount(facts.points) });
    case 'withdrawal-paid':
      return t('member.lines.withdrawal-paid', { method, amount: formatAmount(facts.amount) });
    case 'earning-held':
    case 'earning-rejected':
      return t(`member.lines.${kind}`, {
        provider: providerOf(facts.provider ?? ''),
        amount: formatAmount(facts.amount),
      });
    case 'suspended':
    case 'lifted':
      return t(`member.lines.${kind}`, { what: suspensionOf(facts, t) });
    case 'act':
      return actOf(facts.act || text);
    case 'ticket':
      return t('member.lines.ticket', { subject: facts.subject });
    case 'security':
      return securityTitle(facts, t);
    default:
      return t(`member.lines.${kind}`);
  }
}

const suspensionTypes = ['earnings_blocked', 'withdrawal_blocked', 'full_suspension'] as const;

function suspensionOf(facts: Facts, t: TFunction): string {
  const type = suspensionTypes.find((one) => one === facts.suspensionType);
  return type === undefined ? '' : t(`member.suspensionTypes.${type}`);
}

function securityTitle(facts: Facts, t: TFunction): string {
  const change = securityChanges.find((one) => one === facts.change);
  return change === undefined ? t('member.lines.security') : t(`member.security.${change}`);
}

/** Who acts without an operator. */
const actorsAlone = ['command-line', 'site'] as const;

function detailOf({ kind }: TimelineLine, words: Words): string {
  const { t, language, facts } = words;
  const { reason = '', transactionId = '', operator = '', address = '', userAgent = '' } = facts;
  const actor = actorsAlone.find((one) => one === facts.actor);
  const ofOperator = operator === '' ? '' : t('member.by', { operator });
  const by = actor === undefined ? ofOperator : t(`member.actors.${actor}`);
  switch (kind) {
    case 'earning':
      return transactionId;
    case 'reversal':
      return inOneLine(facts.subject ?? '', transactionId);
    case 'grant':
      return facts.subject ?? '';
    case 'withdrawal-approved':
      return inOneLine(facts.destination ?? '', by);
    case 'withdrawal-rejected':
      return inOneLine(rejectionOf(words), reason, by);
    case 'withdrawal-paid':
      return inOneLine(facts.paidAmount ?? '', facts.reference ?? '');
    case 'earning-held':
    case 'earning-rejected':
      return inOneLine(facts.subject ?? '', reason);
    case 'login':
    case 'new-device':
      return inOneLine(deviceNameIn(language, userAgent), address);
    case 'security':
      return address;
    case 'suspended':
      return inOneLine(reason, until(words), by);
    case 'lifted':
      return inOneLine(reason, by);
    case 'act':
      return inOneLine(reason, by);
    case 'ticket':
      return ticketStatusOf(words);
    case 'deleted':
      return by;
    case 'joined':
      return facts.registeredFrom ?? '';
    default:
      return '';
  }
}

const until = ({ t, language, facts: { expiresAt = '' } }: Words): string =>
  expiresAt === '' ? t('member.untilLifted') : t('member.until', { time: formatTime(expiresAt, language) });

const rejectionCodes = ['operator', 'cancelled', 'failed'] as const;

function rejectionOf({ t, facts }: Words): string {
  const code = rejectionCodes.find((one) => one === facts.rejectionCode);
  return code === undefined ? '' : t(`member.rejections.${code}`);
}

const ticketStatuses = ['open', 'in_progress', 'resolved', 'closed'] as const;

function ticketStatusOf({ t, facts }: Words): string {
  const status = ticketStatuses.find((one) => one === facts.status);
  return status === undefined ? '' : t(`member.ticketStatuses.${status}`);
}
