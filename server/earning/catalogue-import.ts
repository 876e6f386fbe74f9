import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  IMPORT_ROWS_MAX,
  type ImportedEntry,
  type ImportResult,
  importColumns,
  importedEntry,
} from '#contract/earning-catalogue-entries.ts';
import { recordActs } from '#platform/audit-trail.ts';
import type { Tx } from '#platform/database.ts';
import { withoutGuard } from '#platform/http/csv.ts';
import { type CsvRecord, csvRecords } from '#platform/http/csv-read.ts';
import { faultsOf, InvalidRequest } from '#platform/http/problem.ts';
import type { Platform } from '#platform/platform.ts';
import { storedFieldsOf } from './catalogue-entries.ts';
import * as queries from './catalogue-entry-queries.ts';

/**
 * Imports entries from a CSV text with the columns of the export. A row with an id changes that entry and keeps its
 * place and its picture; a row without one is added. New rows stand above the others, in the order of the file. All
 * rows are imported or none.
 */

type Row = { line: number; id: bigint | null; entry: ImportedEntry };
type LineFault = ImportResult['errors'][number];
type Parsed = { rows: Row[]; errors: LineFault[]; count: number };

/** Other calls have their turn after this many rows. */
const ROWS_AT_ONCE = 50;
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
  for (const record of csvRecords(csv)) {
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
    if (count % ROWS_AT_ONCE === 0) await nextTurn();
  }
  if (names === undefined) errors.push({ line: 1, message: 'The columns are missing' });
  return { rows, errors, count };
}

/** What only the database knows: the providers, and the entries to change. */
async function faultsInDatabase(tx: Tx, rows: readonly Row[]): Promise<LineFault[]> {
  const providers = new Set(await queries.readProviderIds(tx));
  const ids = rows.flatMap(({ id }) => (id === null ? [] : [id]));
  const known = new Set(await queries.lockEntries(tx, ids));
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

/** @throws Refusal `invalid-request` with the first faults, unless this is a dry run */
export async function importEntries(
  { database }: Pick<Platform, 'database'>,
  { csv, isDryRun, operatorId }: { csv: string; isDryRun: boolean; operatorId: number },
): Promise<ImportResult> {
  const parsed = await parse(csv);
  const { rows, count } = parsed;
  return database.transaction(async (tx) => {
    const errors = [...parsed.errors, ...(await faultsInDatabase(tx, rows))].sort(
      (one, other) => one.line - other.line,
    );
    const changed = rows.flatMap(({ id, entry }) => (id === null ? [] : [{ id, ...storedFieldsOf(entry) }]));
    const added = rows.flatMap(({ id, entry }) => (id === null ? [storedFieldsOf(entry)] : []));
    const result = { rows: count, added: added.length, changed: changed.length, errors };
    if (isDryRun) return result;
    if (errors.length > 0)
      throw new InvalidRequest(
        errors.slice(0, FAULTS_MAX).map(({ line, message }) => ({ path: `line ${line}`, message })),
      );
    await queries.insertEntries(tx, added);
    await queries.updateEntries(tx, changed);
    if (count > 0)
      await recordActs(tx, [
        {
          actor: operatorId,
          act: 'catalogue.import',
          target: { kind: 'catalogue', id: 'catalogue' },
          after: { added: added.length, changed: changed.length },
        },
      ]);
    return result;
  });
}
