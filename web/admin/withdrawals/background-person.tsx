import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { fullNameOf } from '#contract/full-name.ts';
import { deviceNameIn } from '#contract/user-agent.ts';
import type { BackgroundMember, WithdrawalBackground } from '#contract/withdrawals-background.ts';
import { shareText } from '#web/admin/kit/share.ts';
import { Fact, FactList } from '#web/admin/kit/sheet-parts.tsx';
import {
  formatAge,
  formatAmount,
  formatDay,
  formatSigned,
  formatTime,
  shortenMiddle,
  toPoints,
} from '#web/client/format.ts';
import styles from './background.module.css';

type PersonProps = { member: BackgroundMember };

/** The person behind a request: since when, how verified, on which devices, with what balance and what record. */
export function PersonFacts({ member }: PersonProps) {
  const { t, i18n } = useTranslation();
  const language = i18n.language;
  const day = (iso: string) => formatDay(iso, language);
  const { invitedBy, emailVerifiedAt, phone } = member;
  const unverified = <span className={styles.warning}>{t('queue.background.person.unverified')}</span>;
  return (
    <FactList>
      <Fact label={t('queue.background.person.joined')}>
        {day(member.createdAt)}
        {invitedBy !== null && `, ${t('queue.background.person.invited', { name: fullNameOf(invitedBy) })}`}
      </Fact>
      <Fact label={t('queue.background.person.balance')}>
        <BalanceText balance={member.balance} />
      </Fact>
      <Fact label={t('queue.background.person.email')}>
        {emailVerifiedAt === null
          ? unverified
          : t('queue.background.person.verified', { day: day(emailVerifiedAt) })}
      </Fact>
      <Fact label={t('queue.background.person.phone')}>
        {phone === null ? (
          unverified
        ) : (
          <>
            {t('queue.background.person.verified', { day: day(phone.verifiedAt) })}, {phone.callingCode} ··{' '}
            {phone.lastDigits}
          </>
        )}
      </Fact>
      <Fact label={t('queue.background.person.devices')}>
        <DevicesText member={member} />
      </Fact>
      <Fact label={t('queue.background.person.earned')}>
        {formatAmount(member.earned)}, {t('queue.background.person.tasks', { count: member.completedTasks })}
      </Fact>
      <Fact label={t('queue.background.person.takenBack')}>
        {member.takenBackCount === 0
          ? t('queue.background.person.none')
          : `${formatAmount(member.takenBack)}, ${shareText(toPoints(member.takenBack), toPoints(member.earned))}`}
      </Fact>
      <SuspensionFact member={member} />
    </FactList>
  );
}

function BalanceText({ balance }: { balance: string }) {
  const { t } = useTranslation();
  return toPoints(balance) < 0n ? (
    <span className={styles.warning}>
      {formatSigned(balance)} P, {t('queue.background.person.inDebt')}
    </span>
  ) : (
    <>
      {formatAmount(balance)}, {t('queue.background.person.noDebt')}
    </>
  );
}

function DevicesText({ member: { deviceCount, lastSeen, timezone } }: PersonProps): ReactNode {
  const { t, i18n } = useTranslation();
  const { language } = i18n;
  const seenOn = (userAgent: string) => deviceNameIn(language === 'ko' ? 'ko' : 'en', userAgent);
  return [
    t('queue.background.person.deviceCount', { count: deviceCount }),
    ...(lastSeen === null || lastSeen.userAgent === ''
      ? []
      : [`${seenOn(lastSeen.userAgent)} (${formatAge(lastSeen.at, language)})`]),
    ...(timezone === null ? [] : [timezone]),
  ].join(', ');
}

function SuspensionFact({ member: { suspensions, formerSuspensionCount } }: PersonProps) {
  const { t, i18n } = useTranslation();
  const [newest] = suspensions;
  const former =
    formerSuspensionCount === 0
      ? []
      : [t('queue.background.person.formerSuspensions', { count: formerSuspensionCount })];
  const open = suspensions.map(({ suspensionType }) =>
    t(`queue.background.suspensionTypes.${suspensionType}`),
  );
  const until =
    newest === undefined || newest.expiresAt === null
      ? t('queue.background.untilLifted')
      : t('queue.background.until', { time: formatTime(newest.expiresAt, i18n.language) });
  const note = newest === undefined ? {} : { note: `${newest.reason} (${until})` };
  return (
    <Fact label={t('queue.background.person.suspensions')} {...note}>
      {[...open, ...former].join(', ') || t('queue.background.person.none')}
    </Fact>
  );
}

type DestinationProps = { background: WithdrawalBackground };

const UNREAD = [
  'joined',
  'balance',
  'email',
  'phone',
  'devices',
  'earned',
  'takenBack',
  'suspensions',
] as const;

/** The same facts before they are read, as high as they will be, and if they could not be read. */
export function UnreadPersonFacts({ isFailed }: { isFailed: boolean }) {
  const { t } = useTranslation();
  return (
    <FactList>
      {UNREAD.map((fact) => (
        <Fact key={fact} label={t(`queue.background.person.${fact}`)}>
          {isFailed ? '–' : <span className={styles.unread} aria-hidden="true" />}
        </Fact>
      ))}
    </FactList>
  );
}

/** Since when the member uses the destination, who else does, and where payments went before. */
export function DestinationFacts({ background: { destination, facts } }: DestinationProps) {
  const { t, i18n } = useTranslation();
  const day = (iso: string) => formatDay(iso, i18n.language);
  const { firstUsedAt, paidAt, former } = destination;
  const sharers = facts.destinationSharerCount;
  return (
    <ul className={styles.lines}>
      {firstUsedAt !== null && (
        <li>
          {t('queue.background.destination.firstUsed', { day: day(firstUsedAt) })}{' '}
          {paidAt === null
            ? t('queue.background.destination.neverPaid')
            : t('queue.background.destination.paid', { day: day(paidAt) })}
        </li>
      )}
      {paidAt === null && former !== null && (
        <li className={styles.warning}>
          {t('queue.background.destination.former', { day: day(former.paidAt) })}{' '}
          <span className="mono">{shortenMiddle(former.destination)}</span>
        </li>
      )}
      <li className={sharers > 0 ? styles.warning : undefined}>
        {sharers === 0
          ? t('queue.background.destination.unshared')
          : t('queue.background.destination.shared', { count: sharers })}
      </li>
    </ul>
  );
}
