import type { Opened } from './admin-database.ts';
import { misuse, refuse, sentenceOfWords, type Words } from './admin-words.ts';
import { createHealth } from './platform/health.ts';
import { createLog } from './platform/log.ts';
import { secretsOf } from './platform/secrets.ts';
import { changePause } from './withdrawals/payout-stop.ts';
import { giveUpComparison, reconcilePayouts } from './withdrawals/reconcile-command.ts';

/** The commands `reconcile`, `pause` and `resume`. */

/** Compares payouts with the payments that were made, and releases what is clear. */
export async function reconcile(opened: Opened, { options, flags, positionals }: Words): Promise<number> {
  const { 'give-up': givenUp, 'new-account': newAccountOf = null } = options;
  const [isNoted, isLost, isNotOwed] = [flags.has('noted'), flags.has('lost'), flags.has('not-owed')];
  const isReleasing = flags.has('release-approved');
  const reason = sentenceOfWords(positionals);
  if (isLost && newAccountOf === null) return misuse('--lost is said beside --new-account METHOD.');
  if (isNotOwed && !isNoted) return misuse('--not-owed is said beside --noted.');
  if (givenUp !== undefined) {
    if (newAccountOf !== null || isNotOwed || isReleasing)
      return misuse('--give-up takes --noted, and no other option.');
    return giveUp(opened, givenUp, reason, isNoted);
  }
  const needsReason = newAccountOf !== null || isNoted || isReleasing;
  if (!needsReason && reason !== '')
    return misuse(`reconcile takes the word "${positionals[0]}" only after an option that takes a REASON.`);
  if (needsReason && reason === '') return misuse('REASON is needed.');
  const { config, app: database } = opened;
  const log = createLog('silent');
  const parts = { config, database, secrets: secretsOf(config), log, health: createHealth(log) };
  const newAccount = newAccountOf === null ? null : { method: newAccountOf, isLost, reason };
  const [noted, released] = [isNoted ? reason : null, isReleasing ? reason : null];
  const { lines, isComplete } = await reconcilePayouts(parts, newAccount, noted, isNotOwed, released);
  for (const line of lines) console.log(line);
  if (lines.length === 0) console.log('There is nothing to compare.');
  return isComplete ? 0 : 1;
}

async function giveUp(
  { app: database, config }: Opened,
  method: string,
  reason: string,
  isNoted: boolean,
): Promise<number> {
  if (method === '' || reason === '') return misuse('METHOD and REASON are needed.');
  const { isDone, lines } = await giveUpComparison({ database, config }, method, reason, isNoted);
  if (!isDone) return refuse(lines.join('\n'));
  for (const line of lines) console.log(line);
  return 0;
}

/** Pauses all payouts of the site. */
export async function pause({ config, app }: Opened, { positionals }: Words): Promise<number> {
  const reason = sentenceOfWords(positionals);
  if (reason === '') return misuse('REASON is needed: npm run admin -- pause REASON');
  await changePause({ database: app, config }, true, 'command-line', reason);
  console.log('Payouts are paused. Nothing is signed or sent.');
  return 0;
}

/** Resumes the payouts of the site. The reason is optional. */
export async function resume({ config, app }: Opened, { positionals }: Words): Promise<number> {
  const reason = sentenceOfWords(positionals) || null;
  await changePause({ database: app, config }, false, 'command-line', reason);
  console.log('Payouts are resumed.');
  return 0;
}
