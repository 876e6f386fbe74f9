import {
  IMPORT_ROWS_MAX,
  type ImportedEntry,
  type ImportResult,
  importColumns,
  importedEntry,
} from '#contract/earning-catalogue-entries.ts';
import { changedFields, type RecordedAct, recordActs } from '#platform/audit-trail.ts';
import type { Tx } from '#platform/database.ts';
import { withoutGuard } from '#platform/http/csv.ts';
import { type CsvRecord, csvRecords } from '#platform/http/csv-read.ts';
import { faultsOf, InvalidRequest } from '#platform/http/problem.ts';
import type { Platform } from '#platform/platform.ts';
import { fieldsOf, storedFieldsOf, targetOf } from './catalogue-entries.ts';
import * as queries from './catalogue-entry-queries.ts';

/**
 * Imports entries from a CSV text with the columns of the export. A row with an id changes that entry and keeps its
 * place and its picture; a row without one is added. New rows stand above the others, in the order of the file. All
 * rows are imported or none. The trail has one row for the import, and one with the former fields for each entry that
 * is another one afterwards.
 */

type Row = { line: number; id: bigint | null; entry: ImportedEntry };
type LineFault = ImportResult['errors'][number];
type Parsed = { rows: Row[]; errors: LineFault[]; count: number };

/** So many rows are written with one statement. Other calls have their turn in between. */
const ROWS_AT_ONCE = 200;
const FAULTS_MAX = 20;
const needed = ['kind', 'category', 'provider', 'title', 'description', 'minutes'];

/** Why these are no columns of the import; undefined if they are. */
function faultOfColumns(names: readonly string[]): string | undefined {
  const unknown = names.find((name) => !(importColumns as readonly string[]).includes(name));
  if (unknown !== undefined) return `There is no column "${unknown.slice(0, 60)}"`;
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return `The column ${twice} is there twice`;
  const missing = needed.find((name) => !names.includes(name));
  return missing === undefined ? undefined : `The column ${missing} is missing`;
}

function stepsOf(cell: string): unknown {
  if (cell === '') return [];
  try {
    return JSON.parse(cell);
  } catch {
    // The shape refuses a text, and names the field.
    return cell;
  }
}

const flags: Readonly<Record<string, boolean>> = { '': true, true: true, false: false };

/** The cells of a row as the fields of an entry. A cell that fits no type stays a text, which the shape refuses. */
const fieldsOfCells = (cells: ReadonlyMap<string, string>) => {
  const cell = (name: string) => cells.get(name) ?? '';
  const minutes = cell('minutes');
  const isEnabled = cell('isEnabled');
  return {
    kind: cell('kind'),
    category: cell('category'),
    provider: cell('provider'),
    title: cell('title'),
    titleKo: cell('titleKo'),
    description: cell('description'),
    descriptionKo: cell('descriptionKo'),
    reward: cell('reward') || undefined,
    minutes: /^\d{1,9}$/.test(minutes) ? Number(minutes) : minutes,
    url: cell('url'),
    steps: stepsOf(cell('steps')),
    isEnabled: flags[isEnabled.toLowerCase()] ?? isEnabled,
    expiresAt: cell('expiresAt') || null,
  };
};

/** The entry of a record, or why there is none. */
function rowOf(names: readonly string[], { line, cells, fault }: CsvRecord): Row | LineFault {
  if (fault !== undefined) return { line, message: fault };
  if (cells.length !== names.length)
    return { line, message: `${cells.length} cells instead of ${names.length}` };
  const named = new Map(names.map((name, index) => [name, withoutGuard(cells[index] ?? '')]));
  const id = named.get('id') ?? '';
  if (!/^([1-9]\d{0,17})?$/.test(id)) return { line, message: 'id: Must be the id of an entry, or empty' };
  const parsed = importedEntry.safeParse(fieldsOfCells(named));
  if (parsed.success) return { line, id: id === '' ? null : BigInt(id), entry: parsed.data };
  const [first] = faultsOf(parsed.error);
  return { line, message: `${first?.path}: ${first?.message}` };
}

async function parse(csv: string): Promise<Parsed> {
  const rows: Row[] = [];
  const errors: LineFault[] = [];
  let names: string[] | undefined;
  let count = 0;
  for await (const record of csvRecords(csv)) {
    if (names === undefined) {
      names = record.cells.map((name) => name.trim());
      const message = record.fault ?? faultOfColumns(names);
      if (message !== undefined) return { rows, errors: [{ line: record.line, message }], count };
      continue;
    }
    if (count === IMPORT_ROWS_MAX) {
      errors.push({ line: record.line, message: `At most ${IMPORT_ROWS_MAX} rows` });
      break;
    }
    count += 1;
    const row = rowOf(names, record);
    if ('entry' in row) rows.push(row);
    else errors.push(row);
  }
  if (names === undefined) errors.push({ line: 1, message: 'The columns are missing' });
  return { rows, errors, count };
}

/** What only the database knows: the providers, and the entries to change. */
async function faultsInDatabase(
  tx: Tx,
  rows: readonly Row[],
  known: ReadonlyMap<bigint, queries.EntryRow>,
): Promise<LineFault[]> {
  const providers = new Set(await queries.readProviderIds(tx));
  const seen = new Set<bigint>();
  return rows.flatMap(({ line, id, entry: { provider } }) => {
    if (!providers.has(provider)) return [{ line, message: `provider: There is no provider ${provider}` }];
    if (id === null) return [];
    if (!known.has(id)) return [{ line, message: `id: There is no entry ${id}` }];
    if (seen.has(id)) return [{ line, message: `id: ${id} is there twice` }];
    seen.add(id);
    return [];
  });
}

/** Locks the entries that a file changes, and reads them as they are before it. */
async function lockFormer(tx: Tx, rows: readonly Row[]): Promise<ReadonlyMap<bigint, queries.EntryRow>> {
  const ids = rows.flatMap(({ id }) => (id === null ? [] : [id]));
  const former = new Map<bigint, queries.EntryRow>();
  for (const some of partsOf(ids))
    for (const row of await queries.lockEntries(tx, some)) former.set(row.id, row);
  return former;
}

function partsOf<T>(items: readonly T[]): T[][] {
  const starts = Array.from({ length: Math.ceil(items.length / ROWS_AT_ONCE) }, (_, index) => index);
  return starts.map((start) => items.slice(start * ROWS_AT_ONCE, (start + 1) * ROWS_AT_ONCE));
}

/** An entry that a file changes. */
type Change = { before: queries.EntryRow; entry: queries.EntryFields };

/** The act of an entry that is another one after the import; none if nothing of it changes. */
function actsOf({ before, entry }: Change, operatorId: number): RecordedAct[] {
  const expiresAt = entry.expiresAt === null ? null : new Date(entry.expiresAt);
  const fields = changedFields(fieldsOf(before), fieldsOf({ ...before, ...entry, expiresAt }));
  if (fields === undefined) return [];
  return [{ actor: operatorId, act: 'catalogue.change', target: targetOf(before.id), ...fields }];
}

/** Writes the changes, with an act for each entry that is another one afterwards. */
async function change(tx: Tx, changes: readonly Change[], operatorId: number): Promise<void> {
  for (const some of partsOf(changes)) {
    await queries.updateEntries(
      tx,
      some.map(({ before, entry }) => ({ id: before.id, ...entry })),
    );
    await recordActs(
      tx,
      some.flatMap((one) => actsOf(one, operatorId)),
    );
  }
}

/** @throws Refusal `invalid-request` with the first faults, unless this is a dry run */
export async function importEntries(
  { database }: Pick<Platform, 'database'>,
  { csv, isDryRun, operatorId }: { csv: string; isDryRun: boolean; operatorId: number },
): Promise<ImportResult> {
  const parsed = await parse(csv);
  const { rows, count } = parsed;
  return database.transaction(async (tx) => {
    const former = await lockFormer(tx, rows);
    const errors = [...parsed.errors, ...(await faultsInDatabase(tx, rows, former))].sort(
      (one, other) => one.line - other.line,
    );
    const changes = rows.flatMap(({ id, entry }) => {
      const before = id === null ? undefined : former.get(id);
      return before === undefined ? [] : [{ before, entry: storedFieldsOf(entry) }];
    });
    const added = rows.flatMap(({ id, entry }) => (id === null ? [storedFieldsOf(entry)] : []));
    const counts = { added: added.length, changed: rows.length - added.length };
    const result = { rows: count, ...counts, errors };
    if (isDryRun) return result;
    if (errors.length > 0)
      throw new InvalidRequest(
        errors.slice(0, FAULTS_MAX).map(({ line, message }) => ({ path: `line ${line}`, message })),
      );
    if (count > 0)
      await recordActs(tx, [
        {
          actor: operatorId,
          act: 'catalogue.import',
          target: { kind: 'catalogue', id: 'catalogue' },
          after: counts,
        },
      ]);
    // Each part stands above the one before, so the first rows of the file come last.
    for (const some of partsOf(added).reverse()) await queries.insertEntries(tx, some);
    await change(tx, changes, operatorId);
    return result;
  });
}
