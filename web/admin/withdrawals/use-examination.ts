import { examineWithdrawal } from '#contract/withdrawals-decisions.ts';
import { useRead } from '#web/client/use-call.ts';

/**
 * A quote holds for ten minutes, so it is fetched again before. What others do to a member changes the checks too, and
 * not every change is told by the live connection.
 */
const POLL_MS = 60_000;

/** All that is known of a request before a decision, with the quote of an approval. */
export const useExamination = (id: string) =>
  useRead(examineWithdrawal, { params: { id } }, { refetchInterval: POLL_MS });
export type ExaminationRead = ReturnType<typeof useExamination>;
