import { readPendingEarnings } from '#contract/earning.ts';
import { type Quarantined, readQuarantine } from '#contract/earning-quarantine.ts';
import type { Opened } from './admin-database.ts';
import { print } from './admin-print.ts';
import {
  approveAsSecond,
  commandOfVerbs,
  decideEach,
  isRowNumber,
  misuse,
  NOTE_MAX,
  printPage,
  refuse,
  sentenceOfWords,
  type Words,
} from './admin-words.ts';
import { openCeilings } from './earning/ceilings.ts';
import { pendingEarningOf, readHeldEarning, recordDecision } from './earning/earning.ts';
import { pendingEarningList } from './earning/pending-earning-list.ts';
import { quarantinedOf, readQuarantined, recordResolution } from './earning/quarantine.ts';
import { quarantineList } from './earning/quarantine-list.ts';
import { findAccount } from './members/members.ts';
import { type RowOf, readListAfter } from './platform/http/operator-list.ts';
import { readSettings } from './platform/settings.ts';

/**
 * The commands `held` and `quarantine`, by the rules of the back office. Of a credit that needs two people the command
 * line is the second one only. The member's browsers read the new balance at their next call.
 */

const heldEarnings = { endpoint: readPendingEarnings, source: pendingEarningList, toReply: pendingEarningOf };
const quarantinedCalls = { endpoint: readQuarantine, source: quarantineList, toReply: quarantinedOf };

type HeldEarning = RowOf<typeof readPendingEarnings>;

const sumOf = ({ amount, source, userId, userEmail }: HeldEarning): string =>
  `${amount} points, ${source}, ${userId} ${userEmail}`;

const lineOfHeld = (earning: HeldEarning): string => {
  const { createdAt, txId, description, holdReason, firstApprovedBy } = earning;
  const approved = firstApprovedBy === null ? '' : `, first approval by ${firstApprovedBy}`;
  return `${createdAt} ${sumOf(earning)}, ${txId} [${holdReason}${approved}]. ${description}`;
};

const callOf = ({ kind, amount, provider, memberId, txId }: Quarantined): string =>
  `${kind} of ${amount === null ? 'the whole rest' : `${amount} points`}, ${provider}, for ${memberId}, ${txId}`;

const lineOfCall = (call: Quarantined): string => `${call.at} ${callOf(call)}. ${call.reason}`;

/** Splits the words of a decision about one row. A number is its exit code. */
function readDecision(form: string, [number = '', ...reasonWords]: string[]) {
  if (!isRowNumber(number)) return misuse(`NUMBER is that of a row of the list: ${form}`);
  const reason = sentenceOfWords(reasonWords);
  if (reason === '' || reason.length > NOTE_MAX)
    return misuse(`REASON is needed, up to ${NOTE_MAX} characters: ${form}`);
  return { number, reason };
}

const nowHas = (balance: bigint | null): string => `The member now has ${balance} points.`;

function approveHeld({ app: database, config }: Opened, { positionals: numbers }: Words): Promise<number> {
  if (numbers.length === 0 || !numbers.every(isRowNumber))
    return Promise.resolve(misuse('NUMBER is that of a row of the list: held approve NUMBER…'));
  return decideEach(numbers, async (number) => {
    const heldId = BigInt(number);
    print(`${number}: ${sumOf(await readHeldEarning(database, heldId))}`);
    const decision = { heldId, verdict: 'approve', actor: 'command-line', note: null } as const;
    const { balance } = await approveAsSecond(() => recordDecision({ database, config }, decision));
    return `approved. ${nowHas(balance)}`;
  });
}

async function rejectHeld({ app: database, config }: Opened, { positionals }: Words): Promise<number> {
  const asked = readDecision('held reject NUMBER REASON', positionals);
  if (typeof asked === 'number') return asked;
  return decideEach([asked.number], async (number) => {
    const heldId = BigInt(number);
    print(`${number}: ${sumOf(await readHeldEarning(database, heldId))}`);
    const decision = { heldId, verdict: 'reject', actor: 'command-line', note: asked.reason } as const;
    await recordDecision({ database, config }, decision);
    return 'rejected. Its points are not credited.';
  });
}

/** The command `held`: credits that wait for an approval. */
export const held = commandOfVerbs('held', {
  list: {
    options: ['after'],
    run: ({ app }, words) =>
      printPage(
        'held list',
        words,
        (place) => readListAfter(app, heldEarnings, { sort: 'createdAt' }, place),
        {
          lineOf: lineOfHeld,
          none: 'No earning waits.',
        },
      ),
  },
  approve: { run: approveHeld },
  reject: { run: rejectHeld },
});

type Resolved = Awaited<ReturnType<typeof recordResolution>>;

/** What became of a call that was booked. */
function outcomeOf({ verdict, memberId, balance }: Resolved): string {
  if (verdict === 'held') return 'booked, and held for an approval. `held list` shows it.';
  if (balance === null) return `booked: ${verdict}. No points moved.`;
  return `booked for ${memberId}. ${nowHas(balance)}`;
}

const resolve =
  (action: 'book' | 'dismiss') =>
  async ({ app: database, config }: Opened, { options: { member }, positionals }: Words): Promise<number> => {
    const asked = readDecision(`quarantine ${action} NUMBER REASON`, positionals);
    if (typeof asked === 'number') return asked;
    const account = member === undefined ? undefined : await findAccount(database, member);
    if (member !== undefined && account === undefined) return refuse(`There is no member ${member}.`);
    return decideEach([asked.number], async (number) => {
      const id = BigInt(number);
      print(`${number}: ${callOf(await readQuarantined(database, id))}`);
      const memberRef = account === undefined ? null : String(account.id);
      const order = { id, action, actor: 'command-line', note: asked.reason, memberRef } as const;
      const ceilings = await openCeilings(database, await readSettings(database, config.mode));
      const resolved = await approveAsSecond(() => recordResolution({ database, config, ceilings }, order));
      await ceilings.flush();
      return action === 'book' ? outcomeOf(resolved) : 'dismissed. No points moved.';
    });
  };

/** The command `quarantine`: calls of providers that were not booked. */
export const quarantine = commandOfVerbs('quarantine', {
  list: {
    options: ['after'],
    run: ({ app }, words) =>
      printPage(
        'quarantine list',
        words,
        (place) => readListAfter(app, quarantinedCalls, { sort: 'at' }, place),
        { lineOf: lineOfCall, none: 'No call waits.' },
      ),
  },
  book: { options: ['member'], run: resolve('book') },
  dismiss: { run: resolve('dismiss') },
});
