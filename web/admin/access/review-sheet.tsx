import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  type RegistrationReview,
  type RegistrationReviewDetails,
  readRegistrationReview,
} from '#contract/access-registration-reviews.ts';
import type { Network } from '#contract/network.ts';
import { DecideButton } from '#web/admin/kit/decide-button.tsx';
import { FailureLine } from '#web/admin/kit/failure-line.tsx';
import type { SheetPosition } from '#web/admin/kit/list-screen.ts';
import { NetworkNote } from '#web/admin/kit/network-note.tsx';
import { NoteField, useNote } from '#web/admin/kit/note-field.tsx';
import { ReasonDialog, type ReasonWords } from '#web/admin/kit/reason-dialog.tsx';
import { RejectButton } from '#web/admin/kit/reject-button.tsx';
import { Fact, FactList, SheetFacts, SheetFoot } from '#web/admin/kit/sheet-parts.tsx';
import { useNextRow } from '#web/admin/kit/use-next-row.ts';
import { formatTime } from '#web/client/format.ts';
import { useRead } from '#web/client/use-call.ts';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { FieldLabel } from '#web/ui/field-parts.tsx';
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { ClockBadge, flagsOf } from './review-badges.tsx';
import styles from './review-sheet.module.css';
import { useReview } from './use-review.ts';

type ReviewSheetProps = {
  row: RegistrationReview;
  position: SheetPosition<RegistrationReview>;
  refresh: () => void;
};

/** One registration: the clock, why it waits, who used the device before, and the decision at the foot. */
export function ReviewSheet(props: ReviewSheetProps) {
  const { row, position } = props;
  const { t } = useTranslation();
  const details = useRead(readRegistrationReview, { params: { id: row.id } });
  return (
    <>
      <SheetFacts>
        <ReviewFacts row={row} owner={details.data?.owner ?? null} network={details.data?.network ?? null} />
        <DeviceAccounts accounts={details.data?.accounts} isFailed={details.isError} />
      </SheetFacts>
      {row.status !== 'approved' ? (
        <DecisionFoot {...props} isOwn={details.data?.isOwn ?? false} />
      ) : (
        <SheetFoot fine={t(`registrations.sheet.${row.status}Fine`)}>
          <Button variant="default" onClick={position.close}>
            {t('common.close')}
          </Button>
        </SheetFoot>
      )}
    </>
  );
}

type Account = RegistrationReviewDetails['accounts'][number];

type ReviewFactsProps = { row: RegistrationReview; owner: Account | null; network: Network | null };

function ReviewFacts({ row, owner, network }: ReviewFactsProps) {
  const { t, i18n } = useTranslation();
  const time = (iso: string) => formatTime(iso, i18n.language);
  return (
    <>
      <p className={styles.email}>
        <span>{row.email}</span>
        <CopyButton text={row.email} label={t('registrations.sheet.copyEmail')} />
      </p>
      <p>
        <ClockBadge row={row} />
      </p>
      {owner !== null && (
        <p className={styles.owner}>{t('registrations.sheet.hasAccount', { name: owner.name })}</p>
      )}
      <h3>{t('registrations.sheet.why')}</h3>
      {flagsOf(row).map((flag) => (
        <p key={flag} className={styles.text}>
          {t(`registrations.flagTexts.${flag}`)}
        </p>
      ))}
      <h3>{t('registrations.sheet.facts')}</h3>
      <FactList>
        <Fact label={t('registrations.sheet.address')}>
          {row.ipAddress ?? t('registrations.sheet.unknown')}
          <NetworkNote network={network} />
        </Fact>
        <Fact label={t('registrations.sheet.received')}>{time(row.createdAt)}</Fact>
        <Fact label={t('registrations.sheet.due')}>{time(row.dueAt)}</Fact>
        {row.decidedAt !== null && (
          <Fact label={t('registrations.sheet.decided')}>{time(row.decidedAt)}</Fact>
        )}
        {row.adminEmail !== null && <Fact label={t('registrations.sheet.by')}>{row.adminEmail}</Fact>}
        {row.decisionReason !== null && (
          <Fact label={t('registrations.sheet.reason')}>{row.decisionReason}</Fact>
        )}
        <Fact label={t('registrations.sheet.id')}>{row.id}</Fact>
      </FactList>
    </>
  );
}

type DeviceAccountsProps = { accounts: readonly Account[] | undefined; isFailed: boolean };

function DeviceAccounts({ accounts, isFailed }: DeviceAccountsProps) {
  const { t } = useTranslation();
  return (
    <>
      <h3>{t('registrations.sheet.accounts')}</h3>
      {accounts === undefined &&
        (isFailed ? (
          <FailureLine text={t('registrations.sheet.accountsFailed')} />
        ) : (
          <SkeletonRows count={3} />
        ))}
      {accounts?.length === 0 && <p className={styles.text}>{t('registrations.sheet.noAccounts')}</p>}
      {accounts !== undefined && accounts.length > 0 && (
        <>
          <ul className={styles.accounts}>
            {accounts.map((account) => (
              <AccountLine key={account.id} account={account} />
            ))}
          </ul>
          <p className={styles.note}>{t('registrations.sheet.accountsNote')}</p>
        </>
      )}
    </>
  );
}

function AccountLine({ account: { id, name, email, role, createdAt } }: { account: Account }) {
  const { t, i18n } = useTranslation();
  return (
    <li>
      <Link to="/management-panel-x7k9w/users/member" search={{ id }} className="link">
        {name}
      </Link>
      , {email}, {t('registrations.sheet.joined', { time: formatTime(createdAt, i18n.language) })}{' '}
      {role === 'banned' && <StatusBadge tone="blocked">{t('registrations.sheet.banned')}</StatusBadge>}
      {role === 'admin' && <StatusBadge tone="wait">{t('registrations.sheet.operator')}</StatusBadge>}
    </li>
  );
}

/** The texts of the reason that a rejection needs. */
export function useReasonWords(): ReasonWords {
  const { t } = useTranslation();
  return {
    label: t('registrations.reject.label'),
    help: t('registrations.reject.help'),
    required: t('registrations.reject.required'),
  };
}

/**
 * The reason and the buttons; a rejected one can still be approved, after an objection by mail. Nobody approves a
 * registration of their own.
 */
function DecisionFoot({ row, position, refresh, isOwn }: ReviewSheetProps & { isOwn: boolean }) {
  const { t } = useTranslation();
  const note = useNote();
  const [isRejecting, setRejecting] = useState(false);
  const isRejected = row.status === 'rejected';
  const { approve, reject, isPending, failure, decidedHere } = useReview(row, refresh);
  const { remember } = useNextRow(position, decidedHere);
  const words = {
    ...useReasonWords(),
    title: t('registrations.reject.title'),
    text: t('registrations.reject.text', { email: row.email }),
    submit: t('registrations.reject.submit'),
  };
  return (
    <SheetFoot
      fine={t(`registrations.sheet.${isOwn ? 'own' : isRejected ? 'rejectedFine' : 'fine'}`)}
      failure={failure}
      fields={
        <NoteField
          label={<FieldLabel text={t('registrations.sheet.note')} help={t('registrations.sheet.noteHelp')} />}
          note={note}
          isDisabled={isOwn}
        />
      }
    >
      {!isRejected && (
        <RejectButton
          label={t('registrations.sheet.reject')}
          isDisabled={isPending}
          onOpen={() => setRejecting(true)}
        />
      )}
      <DecideButton
        isPlain
        isPending={isPending}
        isDisabled={isOwn}
        onDecide={() => {
          if (!note.check()) return;
          remember();
          approve(note.text.trim());
        }}
      >
        {t(
          position.following === undefined
            ? 'registrations.sheet.approveOnly'
            : 'registrations.sheet.approve',
        )}
      </DecideButton>
      <ReasonDialog
        act="registration.reject"
        words={words}
        isOpen={isRejecting}
        isPending={isPending}
        failure={failure}
        onSubmit={(text) => {
          remember();
          reject(text);
        }}
        onClose={() => setRejecting(false)}
      />
    </SheetFoot>
  );
}
