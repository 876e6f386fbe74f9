import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type PendingEarning, readApprovalStats } from '#contract/earning.ts';
import { DecideButton } from '#web/admin/kit/decide-button.tsx';
import type { SheetPosition } from '#web/admin/kit/list-screen.ts';
import { NoteField, useNote } from '#web/admin/kit/note-field.tsx';
import { ReasonDialog } from '#web/admin/kit/reason-dialog.tsx';
import { RejectButton } from '#web/admin/kit/reject-button.tsx';
import { Fact, FactList, SheetFacts, SheetFoot, SheetPerson, SheetSum } from '#web/admin/kit/sheet-parts.tsx';
import { useNextRow } from '#web/admin/kit/use-next-row.ts';
import { formatAmount, formatDollars, formatTime } from '#web/client/format.ts';
import { useMember } from '#web/client/session.ts';
import { useRead } from '#web/client/use-call.ts';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { FieldLabel } from '#web/ui/field-parts.tsx';
import styles from './approval-sheet.module.css';
import { WaitBadges } from './hold-reason-badge.tsx';
import { useNoteWords } from './note-words.ts';
import { useApproval } from './use-approval.ts';

type ApprovalSheetProps = {
  row: PendingEarning;
  position: SheetPosition<PendingEarning>;
  refresh: () => void;
};

/** One credit that waits: its facts, why it waits, and the decision at the foot. */
export function ApprovalSheet(props: ApprovalSheetProps) {
  return (
    <>
      <SheetFacts>
        <ApprovalFacts row={props.row} />
      </SheetFacts>
      <Foot {...props} />
    </>
  );
}

function ApprovalFacts({ row }: { row: PendingEarning }) {
  const { t, i18n } = useTranslation();
  return (
    <>
      <SheetSum points={row.amount} badges={<WaitBadges row={row} />}>
        <span className="num">{formatDollars(row.amount)}</span>
      </SheetSum>
      <SheetPerson
        id={row.userId}
        name={row.userFirstName}
        firstName={row.userFirstName}
        email={row.userEmail}
      />
      <h3>{t('approvals.sheet.reason')}</h3>
      <p>{t(`approvals.holdReasonText.${row.holdReason}`)}</p>
      <h3>{t('approvals.sheet.earning')}</h3>
      <FactList>
        <Fact label={t('approvals.sheet.description')}>{row.description}</Fact>
        <Fact label={t('approvals.sheet.source')}>{row.source}</Fact>
        <Fact label={t('approvals.sheet.received')}>{formatTime(row.createdAt, i18n.language)}</Fact>
        <Fact label={t('approvals.sheet.transaction')}>
          <span className={styles.transaction}>
            <span className="mono">{row.txId}</span>
            <CopyButton text={row.txId} label={t('approvals.sheet.copyTransaction')} />
          </span>
        </Fact>
        <Fact label={t('approvals.sheet.id')}>
          <span className="mono">{row.id}</span>
        </Fact>
      </FactList>
    </>
  );
}

/** Who may approve a credit, and whether two must. The server decides; this is what an operator reads before. */
function useTwoPeople({ userId, amount, firstApprovedBy }: PendingEarning) {
  const { id } = useMember();
  const { data: stats } = useRead(readApprovalStats);
  const isOwn = id === userId;
  const isMine = id === firstApprovedBy;
  const sum = stats?.secondPersonFrom ?? null;
  const isFirst =
    firstApprovedBy === null &&
    sum !== null &&
    BigInt(stats?.creditedToday ?? 0) + BigInt(amount) >= BigInt(sum);
  const fineOfOthers = () => {
    if (isMine) return 'mine';
    if (firstApprovedBy !== null) return 'second';
    return isFirst ? 'first' : 'fine';
  };
  const fine = isOwn ? 'own' : fineOfOthers();
  return { isOwn, isMine, isFirst, fine } as const;
}

/** The note and the buttons. Nobody decides about their own credit. */
function Foot({ row, position, refresh }: ApprovalSheetProps) {
  const { t } = useTranslation();
  const { isOwn, isFirst, isMine, fine } = useTwoPeople(row);
  const note = useNote();
  const [isRejecting, setRejecting] = useState(false);
  const { approve, reject, isPending, failure, decidedHere } = useApproval(row, refresh);
  const { remember } = useNextRow(position, decidedHere);
  const amount = formatAmount(row.amount);
  return (
    <SheetFoot
      fine={t(`approvals.sheet.${fine}`)}
      failure={failure}
      fields={
        <NoteField
          label={<FieldLabel text={t('approvals.sheet.note')} help={t('approvals.sheet.noteHelp')} />}
          note={note}
          isDisabled={isOwn}
        />
      }
    >
      <RejectButton
        label={t('approvals.sheet.reject')}
        isDisabled={isPending || isOwn}
        onOpen={() => setRejecting(true)}
      />
      <DecideButton
        isPending={isPending}
        isDisabled={isOwn || isMine}
        keyLabel={t('approvals.sheet.approveKey')}
        onDecide={() => {
          if (!note.check()) return;
          remember();
          approve(note.text.trim());
        }}
      >
        {isFirst
          ? t('approvals.sheet.approveFirst')
          : t(position.following === undefined ? 'approvals.sheet.approveOnly' : 'approvals.sheet.approve', {
              amount,
            })}
      </DecideButton>
      <RejectDialog
        row={row}
        isOpen={isRejecting}
        isPending={isPending}
        failure={failure}
        onSubmit={(reviewNote) => {
          remember();
          reject(reviewNote);
        }}
        onClose={() => setRejecting(false)}
      />
    </SheetFoot>
  );
}

type RejectDialogProps = Omit<Parameters<typeof ReasonDialog>[0], 'words'> & { row: PendingEarning };

function RejectDialog({ row, ...rest }: RejectDialogProps) {
  const { t } = useTranslation();
  const amount = formatAmount(row.amount);
  const words = {
    ...useNoteWords(),
    title: t('approvals.reject.title'),
    text: t('approvals.reject.text', { amount, name: row.userFirstName }),
    submit: t('approvals.reject.submit', { amount }),
  };
  return <ReasonDialog {...rest} act="earning.reject" about={`earning.reject ${row.id}`} words={words} />;
}
