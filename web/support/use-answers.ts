import { useTranslation } from 'react-i18next';
import { processingTimeIn, promisedDaysOf } from '#contract/processing-time.ts';
import type { TicketCategory } from '#contract/support.ts';
import { formatDayOfWeek, formatTime } from '#web/client/format.ts';
import { useBrandName, useSiteConfig } from '#web/client/session.ts';
import { useLanguage } from '#web/client/use-language.ts';
import { promisedDay } from './promised-day.ts';
import type { RequestRecord, WithdrawalEntry } from './request-record.ts';

export type Answer = {
  question: string;
  text: string;
  /** The page that shows or changes it. */
  to?: 'withdrawal' | 'chargeback-history' | 'settings' | 'profile';
};

/** What may answer a request before it is sent, from the state of its record and the site’s configuration. */
export function useAnswers(kind: TicketCategory | null, record: RequestRecord | null): Answer[] {
  const { t } = useTranslation();
  const whereIsIt = useWhereIsIt();
  const brand = useBrandName();
  const language = useLanguage();
  if (kind === 'account')
    return [
      { question: t('support.answers.name'), text: t('support.answers.nameText'), to: 'profile' },
      { question: t('support.answers.security'), text: t('support.answers.securityText'), to: 'settings' },
    ];
  if (record === null || record.kind !== kind) return [];
  if (record.kind === 'chargeback') {
    const { createdAt, reason } = record.entry;
    // An operator’s chargeback has no provider.
    const provider = record.entry.provider === 'Manual' ? brand : record.entry.provider;
    const time = formatTime(createdAt, language);
    return [
      {
        question: t('support.answers.why'),
        text: t('support.answers.whyText', {
          provider,
          time,
          reason: t(`support.answers.reasons.${reason}`),
        }),
        to: 'chargeback-history',
      },
      { question: t('support.answers.back'), text: t('support.answers.backText', { provider }) },
    ];
  }
  const { status, isCancellable } = record.entry;
  const isOver = status === 'rejected' || record.entry.payoutState === 'confirmed';
  const where: Answer = {
    question: t('support.answers.where'),
    text: whereIsIt(record.entry),
    to: 'withdrawal',
  };
  if (isOver) return [where];
  const address: Answer = {
    question: t('support.answers.address'),
    text: t(isCancellable ? 'support.answers.addressCancel' : 'support.answers.addressText'),
  };
  if (status !== 'pending') return [where, address];
  return [where, address, { question: t('support.answers.review'), text: t('support.answers.reviewText') }];
}

/** Where a withdrawal is now, in a sentence with its times. */
function useWhereIsIt(): (entry: WithdrawalEntry) => string {
  const { t } = useTranslation();
  const language = useLanguage();
  const { data: config } = useSiteConfig();
  const timeOf = (iso: string | null) => (iso === null ? '' : formatTime(iso, language));
  const ofPending = ({ createdAt }: WithdrawalEntry): string => {
    const time = timeOf(createdAt);
    const setting = config?.processingTime ?? '';
    const days = promisedDaysOf(setting);
    if (config === undefined || days === null) return t('support.answers.pendingOnly', { time });
    const day = formatDayOfWeek(promisedDay(createdAt, days, config.siteTimezone), language);
    return t('support.answers.pending', { time, processing: processingTimeIn(language, setting), day });
  };
  return (entry) => {
    const { status, payoutState, waitsFor, holdUntil, processedAt, rejectionCode, rejectionReason } = entry;
    if (holdUntil !== null) return t('support.answers.held', { time: timeOf(holdUntil) });
    if (waitsFor === 'paused') return t('support.answers.paused');
    if (waitsFor !== null) return t('support.answers.stopped');
    if (status === 'pending') return ofPending(entry);
    if (status === 'rejected' && rejectionCode === 'cancelled') return t('support.answers.cancelled');
    if (status === 'rejected') return t('support.answers.rejected', { reason: rejectionReason ?? '' });
    if (payoutState === 'parked' || payoutState === 'failed') return t('support.answers.checked');
    const time = timeOf(processedAt);
    if (payoutState === 'confirmed') return t('support.answers.paid');
    return t(payoutState === 'broadcast' ? 'support.answers.sent' : 'support.answers.approved', { time });
  };
}
