import type { Opened } from './admin-database.ts';
import { print, printError } from './admin-print.ts';
import { misuse, sentenceOfWords, type Words } from './admin-words.ts';
import { createHealth } from './platform/health.ts';
import { createLog } from './platform/log.ts';
import { secretsOf } from './platform/secrets.ts';
import { noteNeverMade, noteNotOwed } from './withdrawals/notes-command.ts';
import { changePause } from './withdrawals/payout-stop.ts';
import { giveUpComparison, reconcilePayouts } from './withdrawals/reconcile-command.ts';

/** The commands `reconcile`, `pause` and `resume`. */

/** Compares payouts with the payments that were made, and releases what is clear. */
export async function reconcile(opened: Opened, { options, flags, positionals }: Words): Promise<number> {
  const { 'give-up': givenUp, 'new-account': newAccountOf = null } = options;
  const { 'never-made': neverMade, 'not-owed': notOwed } = options;
  const [isNoted, isLost] = [flags.has('noted'), flags.has('lost')];
  const isReleasing = flags.has('release-approved');
  const reason = sentenceOfWords(positionals);
  if (isLost && newAccountOf === null) return misuse('--lost is said beside --new-account METHOD.');
  if (givenUp !== undefined) {
    if (newAccountOf !== null || isReleasing || neverMade !== undefined || notOwed !== undefined)
      return misuse('--give-up takes --noted, and no other option.');
    return giveUp(opened, givenUp, reason, isNoted);
  }
  const named = neverMade ?? notOwed;
  if (named !== undefined) {
    if (newAccountOf !== null || isNoted || isReleasing || (neverMade !== undefined && notOwed !== undefined))
      return misuse('--never-made and --not-owed take no other option.');
    if (named === '' || reason === '') return misuse('REFERENCE and REASON are needed.');
    if (neverMade !== undefined) return answer(await noteNeverMade(partsOf(opened), neverMade, reason));
    return answer(await noteNotOwed(partsOf(opened), named.split(','), reason));
  }
  const needsReason = newAccountOf !== null || isNoted || isReleasing;
  if (!needsReason && reason !== '')
    return misuse(`reconcile takes the word "${positionals[0]}" only after an option that takes a REASON.`);
  if (needsReason && reason === '') return misuse('REASON is needed.');
  const parts = partsOf(opened);
  const newAccount = newAccountOf === null ? null : { method: newAccountOf, isLost, reason };
  const [noted, released] = [isNoted ? reason : null, isReleasing ? reason : null];
  const { lines, isComplete } = await reconcilePayouts(parts, newAccount, noted, released);
  for (const line of lines) print(line);
  if (lines.length === 0) print('There is nothing to compare.');
  return isComplete ? 0 : 1;
}

/** The parts of the site that a command about payouts works with. */
export function partsOf({ config, app: database }: Opened) {
  const log = createLog('silent');
  return { config, database, secrets: secretsOf(config), log, health: createHealth(log) };
}

function answer({ isDone, lines }: { isDone: boolean; lines: string[] }): number {
  if (!isDone) {
    for (const line of lines) printError(line);
    return 1;
  }
  for (const line of lines) print(line);
  return 0;
}

async function giveUp(
  { app: database, config }: Opened,
  method: string,
  reason: string,
  isNoted: boolean,
): Promise<number> {
  if (method === '' || reason === '') return misuse('METHOD and REASON are needed.');
  return answer(await giveUpComparison({ database, config }, method, reason, isNoted));
}

/** Pauses all payouts of the site. */
export async function pause({ config, app }: Opened, { positionals }: Words): Promise<number> {
  const reason = sentenceOfWords(positionals);
  if (reason === '') return misuse('REASON is needed: npm run admin -- pause REASON');
  await changePause({ database: app, config }, true, 'command-line', reason);
  print('Payouts are paused. Nothing is signed or sent.');
  return 0;
}

/** Resumes the payouts of the site. The reason is optional. */
export async function resume({ config, app }: Opened, { positionals }: Words): Promise<number> {
  const reason = sentenceOfWords(positionals) || null;
  await changePause({ database: app, config }, false, 'command-line', reason);
  print('Payouts are resumed.');
  return 0;
}
