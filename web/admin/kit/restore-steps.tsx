import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ReplyOf } from '#contract/endpoint.ts';
import { readRestoreState } from '#contract/withdrawals-payouts.ts';
import { useRead } from '#web/client/use-call.ts';
import { useRailWords } from '#web/ui/rails.ts';
import { CommandLine } from './command-line.tsx';
import styles from './restore-steps.module.css';

const POLL_MS = 15_000;
const RECONCILE = 'npm run admin -- reconcile';

/** What is left to do after an older copy of the database was restored; undefined until it is read. */
export const useRestoreState = (): ReplyOf<typeof readRestoreState> | undefined =>
  useRead(readRestoreState, undefined, { refetchInterval: POLL_MS }).data;

/** How many payouts and requests wait for what is left after a restore; undefined if none does. */
export function useRestoreWaiting(): string | undefined {
  const { t } = useTranslation();
  const state = useRestoreState();
  if (state === undefined) return undefined;
  const { waitingPayoutCount, waitingRequestCount } = state;
  const payouts = t('restoring.payouts', { count: waitingPayoutCount });
  const requests = t('restoring.requests', { count: waitingRequestCount });
  if (waitingPayoutCount > 0 && waitingRequestCount > 0)
    return t('restoring.waiting.both', { payouts, requests });
  if (waitingPayoutCount > 0) return t('restoring.waiting.one', { what: payouts, count: waitingPayoutCount });
  if (waitingRequestCount > 0)
    return t('restoring.waiting.one', { what: requests, count: waitingRequestCount });
  return undefined;
}

/** How many payouts of the restored copy wait for an operator, in a line. Undefined if none does. */
export function useRestoreApproved(): string | undefined {
  const { t } = useTranslation();
  const count = useRestoreState()?.approvedCount ?? 0;
  return count > 0 ? t('restoring.payouts', { count }) : undefined;
}

type RestoreStepsProps = {
  /** The payments that an operator looks at, which come before they are noted. */
  payments?: ReactNode;
  /** The link to the payouts was followed. */
  onLeave: () => void;
};

/** What waits after a restore; then, in their order, the commands to type, whole, with what each of them sends. */
export function RestoreSteps({ payments, onLeave }: RestoreStepsProps) {
  const { t } = useTranslation();
  const { nameOf } = useRailWords();
  const state = useRestoreState();
  if (state === undefined) return null;
  const { pending, unaccounted, unaccountedCount, checkedCount, approvedCount } = state;
  const knownCount = unaccounted.filter(({ memberId }) => memberId !== null).length;
  const hasCommand = pending.length + unaccountedCount + approvedCount > 0;
  return (
    <div className={styles.steps}>
      <ol>
        {pending.length > 0 && (
          <li>
            <Step text={t('restoring.compare')} command={RECONCILE} />
          </li>
        )}
        {payments !== undefined && <li>{payments}</li>}
        {unaccountedCount > knownCount && (
          <li>
            <Step text={t('restoring.noted')} command={`${RECONCILE} --noted REASON`} />
          </li>
        )}
        {approvedCount > 0 && <Approved count={approvedCount} onLeave={onLeave} />}
      </ol>
      {hasCommand && <p className={styles.fine}>{t('restoring.fine')}</p>}
      {knownCount > 0 && <p className={styles.fine}>{t('restoring.known')}</p>}
      {checkedCount > 0 && <p className={styles.fine}>{t('restoring.requestsFine')}</p>}
      {pending.length > 0 && (
        <details className={styles.last}>
          <summary>{t('restoring.lastResort')}</summary>
          {pending.map(({ method }) => (
            <Step
              key={method}
              text={t('restoring.giveUp', { method: nameOf(method) })}
              command={`${RECONCILE} --give-up ${method} REASON`}
            />
          ))}
        </details>
      )}
    </div>
  );
}

/** How many payouts and requests wait, before anything else. */
export function RestoreWaiting() {
  const waiting = useRestoreWaiting();
  return waiting === undefined ? null : <p className={styles.waiting}>{waiting}</p>;
}

/** The approvals of the restored copy: the way to them, then the command that sends what is left. */
function Approved({ count, onLeave }: { count: number; onLeave: () => void }) {
  const { t } = useTranslation();
  return (
    <li>
      <Step text={t('restoring.approved', { count })} command={`${RECONCILE} --release-approved REASON`}>
        <Button
          variant="default"
          size="sm"
          onClick={onLeave}
          renderRoot={(props) => (
            <Link {...props} to="/management-panel-x7k9w/payouts" search={{ state: 'parked' }} />
          )}
        >
          {t('restoring.openChecking')}
        </Button>
        <p>{t('restoring.release')}</p>
      </Step>
    </li>
  );
}

type StepProps = { text: string; command: string; children?: ReactNode };

/** What a command does, and the command. */
function Step({ text, command, children }: StepProps) {
  return (
    <div className={styles.step}>
      <p>{text}</p>
      {children}
      <CommandLine command={command} />
    </div>
  );
}
