import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { downloadedEntry } from '#contract/ledger.ts';
import type { OperatorListEndpoint } from '#contract/operator-list.ts';
import type { Opened } from './admin-database.ts';
import { currentOutput, printableFile } from './admin-print.ts';
import { misuse, refuse, type Words } from './admin-words.ts';
import { exportMovements } from './ledger/ledger.ts';
import { readTrialBalance } from './ledger/trial-balance.ts';
import { findAccount, readNamesOf } from './members/members.ts';
import { suspensionList } from './members/suspension-list.ts';
import { namesReader } from './names.ts';
import { auditTrailList } from './platform/audit-trail.ts';
import { linesOf, type Pieces, type Row } from './platform/http/csv-reply.ts';
import { type OperatorListBinding, readWholeList } from './platform/http/operator-list.ts';
import { createLog } from './platform/log.ts';
import { payoutList } from './withdrawals/payout-list.ts';
import { withdrawalList } from './withdrawals/withdrawal-list.ts';

/**
 * The command `export`: a whole list as CSV on the standard output, read piece by piece. The lists are those of the
 * back office, with the columns of its CSV. Control characters in stored texts are printed as codes.
 */
type Export = { columns: readonly string[]; rows: Pieces };

const ofList =
  <E extends OperatorListEndpoint, Stored>(bind: (opened: Opened) => OperatorListBinding<E, Stored>) =>
  (opened: Opened): Export => {
    const list = bind(opened);
    const rows = readWholeList(opened.app.patient, list, { format: 'csv' }) as Pieces;
    return { columns: list.endpoint.list.columns, rows };
  };

async function* booksOf({ app }: Opened): AsyncGenerator<Row[]> {
  yield await readTrialBalance(app);
}

/** The exports without a member, by the word that names them. */
const exports: Record<string, (opened: Opened) => Export> = {
  'audit-trail': ofList(({ app }) => auditTrailList((ids) => readNamesOf(app, ids))),
  books: (opened) => ({ columns: ['account', 'balance'], rows: booksOf(opened) }),
  payouts: ofList(() => payoutList),
  suspensions: ofList(() => suspensionList),
  withdrawals: ofList(({ app: database, config }) => withdrawalList({ database, config })),
};
const names = [...Object.keys(exports), 'movements MEMBER'].join(', ');

/** Movements of a member, oldest first, with the balance after each. */
async function* movementsOf({ app: database }: Opened, memberId: number): AsyncGenerator<Row[]> {
  const readNames = namesReader({ database, log: createLog('error') });
  for await (const row of exportMovements(database.patient, readNames, memberId)) yield [row];
}

export async function exportCsv(opened: Opened, { positionals }: Words): Promise<number> {
  const [name = '', who, ...others] = positionals;
  if (name === 'movements' && who !== undefined && others.length === 0) {
    const account = await findAccount(opened.app, who);
    if (account === undefined) return refuse(`There is no member ${who}.`);
    const columns = [...Object.keys(downloadedEntry.shape), 'balanceAfter'];
    return write({ columns, rows: movementsOf(opened, account.id) });
  }
  const found = who === undefined && Object.hasOwn(exports, name) ? exports[name] : undefined;
  if (found === undefined) return misuse(`export takes one of: ${names}.`);
  return write(found(opened));
}

async function* printed(rows: Pieces, columns: readonly string[]): AsyncGenerator<string> {
  for await (const piece of linesOf(rows, columns)) yield printableFile(piece);
}

async function write({ columns, rows }: Export): Promise<number> {
  try {
    await pipeline(Readable.from(printed(rows, columns)), currentOutput().lines, { end: false });
    return 0;
  } catch (error) {
    // The program that reads the output has seen enough, as `head` does.
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return 0;
    throw error;
  }
}
