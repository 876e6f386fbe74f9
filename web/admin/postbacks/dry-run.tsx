import { useTranslation } from 'react-i18next';
import type { Postback, ReplayOutcome } from '#contract/earning-postbacks.ts';
import comparison from '#web/admin/kit/comparison.module.css';
import { DecideButton } from '#web/admin/kit/decide-button.tsx';
import { ReasonDialog } from '#web/admin/kit/reason-dialog.tsx';
import { requestIdOf } from '#web/client/call.ts';
import { formatAmount, formatSigned } from '#web/client/format.ts';
import { ErrorState } from '#web/ui/error-state.tsx';
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx';
import { useStepState } from './call-steps.tsx';
import styles from './postbacks.module.css';
import { type useDryRun, useReplay } from './use-replay.ts';
import { useVerdictWord } from './verdict-badge.tsx';

/** What the call did, and what it would do by the settings of today. */
export function DryRun({ row, dryRun }: { row: Postback; dryRun: ReturnType<typeof useDryRun> }) {
  const { t } = useTranslation();
  const { data, error } = dryRun;
  if (data !== undefined) return <Difference row={row} outcome={data} />;
  if (error !== null)
    return (
      <ErrorState
        title={t('postbacks.dry.unread')}
        text={t(`refusals.${error.code}`)}
        requestId={requestIdOf(error)}
        onRetry={() => void dryRun.refetch()}
      />
    );
  return <SkeletonRows count={3} />;
}

function Difference({ row, outcome }: { row: Postback; outcome: ReplayOutcome }) {
  const { t } = useTranslation();
  const stateOf = useStepState();
  const wordOf = useVerdictWord();
  const kind = row.kind;
  const effect = [wordOf({ ...outcome, kind }), ...effectOf(outcome)].join(', ');
  return (
    <>
      <table className={`${comparison.comparison} ${styles.difference}`}>
        <thead>
          <tr>
            <th scope="col">{t('postbacks.dry.step')}</th>
            <th scope="col">{t('postbacks.dry.then')}</th>
            <th scope="col">{t('postbacks.dry.now')}</th>
          </tr>
        </thead>
        <tbody>
          {row.steps.map((step, index) => {
            const now = outcome.steps[index] ?? step;
            const isChanged = now.state !== step.state;
            return (
              <tr key={step.name} data-changed={isChanged || undefined}>
                <th scope="row">
                  {index + 1} {t(`postbacks.steps.${step.name}.title`)}
                </th>
                <td>{stateOf(step)}</td>
                <td>{isChanged ? <ins>{stateOf(now)}</ins> : stateOf(now)}</td>
              </tr>
            );
          })}
          <tr data-changed={row.verdict !== outcome.verdict || undefined}>
            <th scope="row">{t('postbacks.dry.result')}</th>
            <td>{wordOf(row)}</td>
            <td>{row.verdict === outcome.verdict ? effect : <ins>{effect}</ins>}</td>
          </tr>
        </tbody>
      </table>
      {outcome.detail !== '' && <p lang="en">{outcome.detail}</p>}
      {outcome.matches === 'former' && <p className={styles.fine}>{t('postbacks.dry.former')}</p>}
    </>
  );
}

const effectOf = ({ amount, memberName, memberId }: ReplayOutcome): string[] =>
  amount === null ? [] : [`${memberName ?? memberId ?? ''} ${formatSigned(amount)} P`.trim()];

const amountText = ({ amount }: ReplayOutcome): string => (amount === null ? '' : formatAmount(amount));

type ReplayButtonProps = { outcome: ReplayOutcome; onReplay: () => void };

/** Leads to the second step. */
export function ReplayButton({ outcome, onReplay }: ReplayButtonProps) {
  const { t } = useTranslation();
  return (
    <DecideButton isPending={false} isDisabled={false} onDecide={onReplay}>
      {t('postbacks.dry.replay', { amount: amountText(outcome) })}
    </DecideButton>
  );
}

type ReplayDialogProps = {
  row: Postback;
  /** As it was when the operator pressed: what the dialog says is what is booked, or nothing. */
  outcome: ReplayOutcome;
  isOpen: boolean;
  onStale: () => void;
  onClose: () => void;
};

/** The second step: a reason, then the call is booked. */
export function ReplayDialog({ row, outcome, isOpen, onStale, onClose }: ReplayDialogProps) {
  const { t } = useTranslation();
  const { book, isPending, failure } = useReplay(row, outcome, onStale);
  const amount = amountText(outcome);
  return (
    <ReasonDialog
      isOpen={isOpen}
      isPending={isPending}
      failure={failure}
      tone="money"
      words={{
        title: t('postbacks.dry.title'),
        text: t('postbacks.dry.text', { name: outcome.memberName ?? outcome.memberId ?? '', amount }),
        label: t('postbacks.dry.reason'),
        help: t('postbacks.dry.reasonHelp'),
        required: t('postbacks.dry.reasonRequired'),
        submit: t('postbacks.dry.submit', { amount }),
      }}
      onSubmit={(reason) => book(reason, onClose)}
      onClose={onClose}
    />
  );
}
