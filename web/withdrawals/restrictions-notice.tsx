import { IconAlertTriangle, IconClock } from '@tabler/icons-react';
import clsx from 'clsx';
import { useTranslation } from 'react-i18next';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { readRestrictions } from '#contract/withdrawals-restrictions.ts';
import { formatTime } from '#web/client/format.ts';
import { useSiteConfig } from '#web/client/session.ts';
import { useLanguage } from '#web/client/use-language.ts';
import styles from './restrictions-notice.module.css';
import { useRestrictions } from './waiting.ts';

type RestrictionsNoticeProps = {
  /** The text's id, by which a disabled button names it. */
  textId?: string;
  className?: string | undefined;
};

/**
 * Says why withdrawals are stopped, until when, and the way out, or that new requests are held or wait for the end
 * of a pause. Else it is nothing.
 */
export function RestrictionsNotice({ textId, className }: RestrictionsNoticeProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const restrictions = useRestrictions();
  if (restrictions === undefined) return null;
  const { stop, securityHoldUntil, dayLimitUntil, payoutsPaused } = restrictions;
  const isFree = stop === null && securityHoldUntil === null && dayLimitUntil === null;
  if (isFree && !payoutsPaused) return null;
  const Icon = stop === null ? IconClock : IconAlertTriangle;
  return (
    <div className={clsx(styles.notice, className)} data-tone={stop === null ? 'wait' : 'warn'} role="note">
      <Icon size={20} stroke={1.75} aria-hidden="true" />
      {stop !== null ? (
        <StopText stop={stop} textId={textId} />
      ) : (
        <div id={textId}>
          {dayLimitUntil !== null && <p>{t('refusals.withdrawal-limit-reached')}</p>}
          {payoutsPaused && <p>{t('withdrawals.stop.paused')}</p>}
          {securityHoldUntil !== null && (
            <p>{t('withdrawals.stop.held', { until: formatTime(securityHoldUntil, language) })}</p>
          )}
        </div>
      )}
    </div>
  );
}

type Stop = NonNullable<ReplyOf<typeof readRestrictions>['stop']>;

function StopText({ stop, textId }: { stop: Stop; textId: string | undefined }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { kind, reason, until } = stop;
  const end = () => {
    if (until !== null) return t('withdrawals.stop.until', { until: formatTime(until, language) });
    return t(kind === 'denial' ? 'withdrawals.stop.untilReset' : 'withdrawals.stop.untilLifted');
  };
  return (
    <div>
      <p id={textId}>
        <b>{t(`withdrawals.stop.${kind}`)}</b> {end()}
      </p>
      {kind === 'suspension' && <p>{t('withdrawals.turnedDown', { reason })}</p>}
      <Contact />
    </div>
  );
}

function Contact() {
  const { t } = useTranslation();
  const email = useSiteConfig().data?.brand.supportEmail;
  if (email === undefined) return null;
  return (
    <a className="link" href={`mailto:${email}`}>
      {t('withdrawals.stop.contact', { email })}
    </a>
  );
}
