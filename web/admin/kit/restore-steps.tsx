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
  if (state === undefined || state.waitingPayoutCount + state.waitingRequestCount === 0) return undefined;
  return t('restoring.waiting', {
    payouts: t('restoring.payouts', { count: state.waitingPayoutCount }),
    requests: t('restoring.requests', { count: state.waitingRequestCount }),
  });
}

/** What waits after a restore, and the commands to type, whole. */
export function RestoreSteps() {
  const { t } = useTranslation();
  const { nameOf } = useRailWords();
  const state = useRestoreState();
  const waiting = useRestoreWaiting();
  if (state === undefined) return null;
  const { pending, unaccounted, unaccountedCount } = state;
  const isMemberKnown = unaccounted.some(({ memberId }) => memberId !== null);
  return (
    <div className={styles.steps}>
      {waiting !== undefined && <p className={styles.waiting}>{waiting}</p>}
      <p>{t('restoring.compare')}</p>
      <CommandLine command={RECONCILE} />
      {unaccountedCount > 0 && (
        <>
          <p>{t('restoring.noted')}</p>
          <CommandLine command={`${RECONCILE} --noted REASON`} />
        </>
      )}
      {isMemberKnown && (
        <>
          <p>{t('restoring.notOwed')}</p>
          <CommandLine command={`${RECONCILE} --noted --not-owed REASON`} />
        </>
      )}
      {pending.map(({ method }) => (
        <div key={method}>
          <p>{t('restoring.giveUp', { method: nameOf(method) })}</p>
          <CommandLine command={`${RECONCILE} --give-up ${method} REASON`} />
        </div>
      ))}
      <p className={styles.fine}>{t('restoring.fine')}</p>
    </div>
  );
}
