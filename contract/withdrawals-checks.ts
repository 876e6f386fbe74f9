import { knowFlag, lookFlag, type WithdrawalFlag } from './withdrawals.ts';
import type { Check, CheckResult } from './withdrawals-background.ts';

/** What a check of a request says in English, and its verdict. The web has its own words by the code. */

/** The sentence of a check that passed. */
export const passedChecks: Record<Check, string> = {
  owner: 'It is not your own request.',
  suspension: 'No suspension blocks withdrawals.',
  denial: 'The member has reported no misuse since.',
  debt: 'The member is in no debt.',
  payment: 'No payment was found that may have paid it.',
  points: 'No payment was found that may have paid these points.',
  caps: 'It is under the caps of the day.',
  hold: 'It is not on hold.',
  people: 'One operator is enough.',
  reversals: 'No points were taken back in the last 30 days.',
  sharing: 'No other member uses this address.',
  devices: 'No other member used the member’s devices.',
  destination: 'This address was paid before.',
};

/** The sentence of a check that failed, by its flag. */
export const failedChecks: Record<WithdrawalFlag, string> = {
  'own-account': 'It is your own request, or that of an account linked to you.',
  suspended: 'A suspension blocks withdrawals.',
  disowned: 'After the request the member said that somebody else used the account.',
  debt: 'The balance is below zero.',
  'in-check': 'A payment may have paid it already.',
  'points-in-check': 'A payment that no request accounts for may have paid these points.',
  'over-cap': 'It would pass a cap of the day.',
  'on-hold': 'It is on hold because of a new address or a change of the account’s security.',
  'first-approved': 'Another operator must approve it as well.',
  'two-people': 'It needs two operators, and this approval would be the first.',
  reversals: 'Points were taken back in the last 30 days.',
  'shared-address': 'Other members use this address.',
  'shared-device': 'Other members used one of the member’s devices at the same place.',
  'new-address': 'No payment has gone to this address; another one was paid before.',
  'first-payout': 'The member was never paid before.',
};

const unblocking: readonly WithdrawalFlag[] = [...lookFlag.options, ...knowFlag.options, 'two-people'];

/** The verdicts in the order in which checks are listed. */
export const verdicts: readonly CheckResult['verdict'][] = ['block', 'look', 'pass'];

/** The verdict of a check by what is wrong; null if nothing is. */
export function verdictOf(flag: WithdrawalFlag | null): CheckResult['verdict'] {
  if (flag === null) return 'pass';
  return unblocking.includes(flag) ? 'look' : 'block';
}
