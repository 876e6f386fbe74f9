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

/**
 * What waits after a restore, and the commands to type, whole, with what each of them sends.
 * @param onLeave the link to the payouts was followed
 */
export function RestoreSteps({ onLeave }: { onLeave: () => void }) {
  const { t } = useTranslation();
  const { nameOf } = useRailWords();
  const state = useRestoreState();
  const waiting = useRestoreWaiting();
  if (state === undefined) return null;
  const { pending, unaccounted, unaccountedCount, approvedCount } = state;
  const knownCount = unaccounted.filter(({ memberId }) => memberId !== null).length;
  return (
    <div className={styles.steps}>
      {waiting !== undefined && <p className={styles.waiting}>{waiting}</p>}
      <Step text={t('restoring.compare')} command={RECONCILE} />
      {unaccountedCount > knownCount && (
        <Step text={t('restoring.noted')} command={`${RECONCILE} --noted REASON`} />
      )}
      {knownCount > 0 && (
        <Step text={t('restoring.notOwed')} command={`${RECONCILE} --noted --not-owed REASON`} />
      )}
      {approvedCount > 0 && (
        <Step
          text={t('restoring.approved', { count: approvedCount })}
          command={`${RECONCILE} --release-approved REASON`}
        >
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
      )}
      <p className={styles.fine}>{t('restoring.fine')}</p>
      {pending.length > 0 && (
        <section className={styles.last} aria-label={t('restoring.lastResort')}>
          <h4>{t('restoring.lastResort')}</h4>
          {pending.map(({ method }) => (
            <Step
              key={method}
              text={t('restoring.giveUp', { method: nameOf(method) })}
              command={`${RECONCILE} --give-up ${method} REASON`}
            />
          ))}
        </section>
      )}
    </div>
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
