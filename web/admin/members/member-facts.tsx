import { IconAffiliate, IconHandStop } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { Fragment, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fullNameOf } from '#contract/full-name.ts';
import type { AccountRecord } from '#contract/members-accounts.ts';
import { deviceNameIn } from '#contract/user-agent.ts';
import { ListTotals } from '#web/admin/kit/list-totals.tsx';
import { shareText } from '#web/admin/kit/share.ts';
import { formatAge, formatAmount, formatDollars, formatTime, toPoints } from '#web/client/format.ts';
import { useMember } from '#web/client/session.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { balanceText } from './balance-text.ts';
import { LiftDialog } from './lift-dialog.tsx';
import styles from './member-page.module.css';

type PartProps = { member: AccountRecord };

/** What is blocked now: by which suspension, why, until when. */
export function SuspensionLines({ member }: PartProps) {
  const { t, i18n } = useTranslation();
  const [lifting, setLifting] = useState<string | null>(null);
  // Nobody lifts a block of their own account.
  const isOwn = member.id === useMember().id;
  const lines = member.suspensions.map(({ id, suspensionType, severity, reason, expiresAt }) => (
    <p key={id} className={styles.suspended}>
      <IconHandStop size={16} stroke={2} aria-hidden="true" />
      <span>
        <b>{t(`member.suspensionTypes.${suspensionType}`)}</b> {t(`member.severities.${severity}`)},{' '}
        {expiresAt === null
          ? t('member.untilLifted')
          : t('member.until', { time: formatTime(expiresAt, i18n.language) })}
        : {reason}
      </span>
      {!isOwn && (
        <button type="button" className={`link ${styles.lift}`} onClick={() => setLifting(id)}>
          {t('member.lift')}
        </button>
      )}
    </p>
  ));
  return (
    <>
      {lines}
      <LiftDialog
        id={lifting ?? ''}
        name={fullNameOf(member)}
        isOpen={lifting !== null}
        onClose={() => setLifting(null)}
      />
    </>
  );
}

export function MemberFigures({ member }: PartProps) {
  const { t } = useTranslation();
  const { balance, debt, waiting, totalEarned, paidOut, paidCount, takenBack, takenBackCount } = member;
  return (
    <ListTotals
      totals={[
        {
          key: 'balance',
          label: t('member.balance'),
          value: balanceText(balance),
          note: formatDollars(balance),
        },
        { key: 'debt', label: t('member.debt'), value: formatAmount(debt) },
        { key: 'waiting', label: t('member.waiting'), value: formatAmount(waiting) },
        { key: 'earned', label: t('member.earned'), value: formatAmount(totalEarned) },
        { key: 'paid', label: t('member.paid'), value: formatAmount(paidOut), note: String(paidCount) },
        {
          key: 'taken',
          label: t('member.taken'),
          value: formatAmount(takenBack),
          note: `${takenBackCount}, ${shareText(toPoints(takenBack), toPoints(totalEarned))}`,
        },
      ]}
    />
  );
}

export function MemberFacts({ member }: PartProps) {
  const { t, i18n } = useTranslation();
  const language = i18n.language;
  const time = (iso: string) => formatTime(iso, language);
  const facts: [key: string, value: ReactNode][] = [
    [
      'joined',
      <Fragment key="joined">
        {time(member.createdAt)}
        {member.referrer !== null && (
          <>
            {', '}
            {t('member.invitedBy')}{' '}
            <MemberLink id={member.referrer.id}>{fullNameOf(member.referrer)}</MemberLink>
          </>
        )}
      </Fragment>,
    ],
    ['lastSeen', lastSeenOf(member)],
    [
      'phone',
      member.phone === null ? t('member.none') : `${member.phone.number}, ${time(member.phone.verifiedAt)}`,
    ],
    [
      'speaks',
      `${t(`member.languages.${member.language}`)}${member.timezone === null ? '' : `, ${member.timezone}`}`,
    ],
    ['logins', loginsOf(member, t('member.password')) || t('member.none')],
    ['terms', t('member.termsVersion', { version: member.termsVersion })],
    ['security', member.securityChangedAt === null ? t('users.sheet.never') : time(member.securityChangedAt)],
    ...(member.deletedAt === null ? [] : [['deleted', deletionOf(member)] as [string, ReactNode]]),
  ];
  function lastSeenOf({ lastSeen }: AccountRecord): string {
    if (lastSeen === null) return t('users.sheet.never');
    const device = deviceNameIn(language === 'ko' ? 'ko' : 'en', lastSeen.userAgent);
    const age = formatAge(lastSeen.at, language);
    return lastSeen.userAgent === '' ? age : `${age}, ${device}`;
  }
  function deletionOf({ deletedAt, anonymisedAt }: AccountRecord): string {
    if (anonymisedAt !== null) return t('member.anonymised', { time: time(anonymisedAt) });
    return deletedAt === null ? '' : t('member.deletedAt', { time: time(deletedAt) });
  }
  return (
    <dl className={styles.facts}>
      {facts.map(([key, value]) => (
        <div key={key}>
          <dt>{t(`member.facts.${key}` as 'member.facts.joined')}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The ways in: a password, and the linked providers by the name of their host. */
function loginsOf({ hasPassword, linkedLogins }: AccountRecord, password: string): string {
  const hosts = linkedLogins.map((issuer) => issuer.replace(/^https?:\/\//, ''));
  return [...(hasPassword ? [password] : []), ...hosts].join(', ');
}

export function MemberLink({ id, children }: { id: string; children: ReactNode }) {
  return (
    <Link to="/management-panel-x7k9w/users/member" search={{ id }} className="link">
      {children}
    </Link>
  );
}

/** Accounts with something in common. It is information, and no reason to act by itself. */
export function LinkedAccounts({ member: { linkedAccounts } }: PartProps) {
  const { t } = useTranslation();
  if (linkedAccounts.length === 0)
    return <EmptyState title={t('member.linkedNone.title')} text={t('member.linkedNone.text')} />;
  const paid = linkedAccounts.reduce((sum, { paidOut }) => sum + BigInt(paidOut), 0n);
  return (
    <div className={styles.linked}>
      <IconAffiliate size={16} stroke={2} aria-hidden="true" />
      <div>
        <b>{t('member.linked', { count: linkedAccounts.length })}</b>,{' '}
        {t('member.linkedPaid', { amount: formatAmount(paid) })}
        <ul>
          {linkedAccounts.map((account) => (
            <li key={account.id}>
              <MemberLink id={account.id}>{fullNameOf(account)}</MemberLink>, {account.email}:{' '}
              {account.reasons.map((reason) => t(`member.linkReasons.${reason}`)).join(', ')}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
