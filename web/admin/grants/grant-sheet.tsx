import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { confirmGrant, declineGrant, type Grant } from '#contract/grants.ts';
import { DecideButton } from '#web/admin/kit/decide-button.tsx';
import type { SheetPosition } from '#web/admin/kit/list-screen.ts';
import { ReasonDialog } from '#web/admin/kit/reason-dialog.tsx';
import { RejectButton } from '#web/admin/kit/reject-button.tsx';
import { Fact, FactList, SheetFacts, SheetFoot, SheetPerson, SheetSum } from '#web/admin/kit/sheet-parts.tsx';
import { useNextRow } from '#web/admin/kit/use-next-row.ts';
import type { ApiError } from '#web/client/call.ts';
import { formatAmount, formatDollars, formatTime } from '#web/client/format.ts';
import { useMember } from '#web/client/session.ts';
import { useAct } from '#web/client/use-call.ts';
import { toast } from '#web/ui/toast.tsx';
import { GrantBadge } from './grant-badge.tsx';

type GrantSheetProps = { row: Grant; position: SheetPosition<Grant>; refresh: () => void };

/** One grant: whom it reaches, who gave it and why, and at the foot the second operator's decision. */
export function GrantSheet(props: GrantSheetProps) {
  return (
    <>
      <SheetFacts>
        <GrantFacts row={props.row} />
      </SheetFacts>
      <Foot {...props} />
    </>
  );
}

function GrantFacts({ row }: { row: Grant }) {
  const { t, i18n } = useTranslation();
  const decided = row.status === 'failed' ? 'declined' : 'confirmed';
  return (
    <>
      <SheetSum points={row.amount} badges={<GrantBadge status={row.status} />}>
        <span className="num">{formatDollars(row.amount)}</span>
      </SheetSum>
      <SheetPerson
        id={row.userId}
        name={row.userName}
        firstName={row.userFirstName}
        lastName={row.userLastName}
        email={row.userEmail}
      />
      <h3>{t('grants.sheet.reason')}</h3>
      <p>{row.reason}</p>
      <h3>{t('grants.sheet.progress')}</h3>
      <FactList>
        <Fact label={t('grants.sheet.operator')}>{row.adminEmail ?? t('grants.commandLine')}</Fact>
        <Fact label={t('grants.sheet.given')}>{formatTime(row.createdAt, i18n.language)}</Fact>
        {row.decidedByEmail !== null && (
          <Fact label={t(`grants.sheet.${decided}By`)}>{row.decidedByEmail}</Fact>
        )}
        {row.decidedAt !== null && (
          <Fact label={t(`grants.sheet.${decided}`)}>{formatTime(row.decidedAt, i18n.language)}</Fact>
        )}
        {row.declineReason !== null && (
          <Fact label={t('grants.sheet.declineReason')}>{row.declineReason}</Fact>
        )}
        <Fact label={t('grants.sheet.id')}>
          <span className="mono">{row.id}</span>
        </Fact>
      </FactList>
    </>
  );
}

/** Before the decision its buttons. After it, also by another operator, a button for the next grant. */
function Foot({ row, position, refresh }: GrantSheetProps) {
  const { t } = useTranslation();
  const decision = useDecision(row, refresh);
  const { remember, goOn } = useNextRow(position, decision.decidedHere);
  const isLast = position.following === undefined;
  if (row.status === 'pending')
    return <WaitingFoot row={row} decision={decision} isLast={isLast} onDecide={remember} />;
  return (
    <SheetFoot fine={t(`grants.sheet.fine.${row.status}`)}>
      <Button variant="default" fullWidth onClick={goOn}>
        {t(isLast ? 'common.close' : 'grants.sheet.goNext')}
      </Button>
    </SheetFoot>
  );
}

/** Decides about one grant. A refusal shows at the foot, and the list is fetched again. */
function useDecision(row: Grant, refresh: () => void) {
  const { t } = useTranslation();
  const confirming = useAct(confirmGrant);
  const declining = useAct(declineGrant);
  const [failure, setFailure] = useState<string | null>(null);
  const [decidedHere, setDecidedHere] = useState(false);
  const isPending = confirming.isPending || declining.isPending;
  const params = { id: row.id };
  const answers = (decision: 'confirmed' | 'declined') => ({
    onSuccess: () => {
      toast.ok(t(`grants.done.${decision}`, { amount: formatAmount(row.amount) }));
      setDecidedHere(true);
    },
    onError: (error: ApiError) => {
      setFailure(`${t(`grants.fail.${decision}`)}. ${t(`refusals.${error.code}`)}`);
      refresh();
    },
  });
  return {
    confirm: () => {
      if (isPending) return;
      setFailure(null);
      confirming.mutate({ params }, answers('confirmed'));
    },
    decline: (reason: string) => {
      if (isPending) return;
      setFailure(null);
      declining.mutate({ params, body: { reason } }, answers('declined'));
    },
    isPending,
    failure,
    decidedHere,
  };
}

type WaitingFootProps = {
  row: Grant;
  decision: ReturnType<typeof useDecision>;
  isLast: boolean;
  onDecide: () => void;
};

/** Nobody confirms their own grant, and nobody decides about one to themselves. */
function WaitingFoot({ row, decision, isLast, onDecide }: WaitingFootProps) {
  const { t } = useTranslation();
  const { id: ownId } = useMember();
  const [isDeclining, setDeclining] = useState(false);
  const { confirm, decline, isPending, failure } = decision;
  const part = row.userId === ownId ? 'toOneself' : row.adminId === ownId ? 'own' : 'pending';
  const amount = formatAmount(row.amount);
  return (
    <SheetFoot fine={t(`grants.sheet.fine.${part}`)} failure={failure}>
      <RejectButton
        label={t('grants.sheet.decline')}
        isDisabled={isPending || part === 'toOneself'}
        onOpen={() => setDeclining(true)}
      />
      <DecideButton
        isPending={isPending}
        isDisabled={part !== 'pending'}
        onDecide={() => {
          onDecide();
          confirm();
        }}
      >
        {t(isLast ? 'grants.sheet.confirm' : 'grants.sheet.confirmNext', { amount })}
      </DecideButton>
      <ReasonDialog
        act="points.decline"
        isOpen={isDeclining}
        words={{
          title: t('grants.decline.title'),
          text: t('grants.decline.text', { amount, name: row.userName }),
          label: t('grants.decline.reason'),
          help: t('grants.decline.help'),
          required: t('grants.decline.required'),
          submit: t('grants.decline.submit', { amount }),
        }}
        isPending={isPending}
        failure={failure}
        onSubmit={(reason) => {
          onDecide();
          decline(reason);
        }}
        onClose={() => setDeclining(false)}
      />
    </SheetFoot>
  );
}
