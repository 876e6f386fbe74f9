import { mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { nodeFolderOf, recordFolderOf } from '#platform/data-folders.ts';
import type { Platform } from '#platform/platform.ts';
import { parseLosslessly } from './lossless-json.ts';
import { type Payout, readPaidRequest } from './queries.ts';

/**
 * The record of sent payments: whose each payment is, in files outside the database. After a restore the database may
 * not know a request that was paid since, and its points are back in the member's balance. The outside party names a
 * destination only. One file a day, beside the marker; a line is on the disk before its payment is sent, or right after
 * an act has given a payout a payment that was made elsewhere. Each node records what it sends itself or takes over,
 * for 30 days. The first line of a day names the day before it that has a file, so a file that is missing shows.
 */
export type SentPayment = {
  method: string;
  reference: string;
  destination: string;
  withdrawalId: string;
  memberId: string;
  /** When the member registered: a restored database may give the number to somebody else. None before 0.3.0. */
  memberSince?: string | undefined;
  /** When it was recorded, by this node's clock. */
  at: string;
  points: string;
  /** What it pays, in units. None in a line of a former release. */
  amountUnits?: string | undefined;
};

const DAYS_KEPT = 30;
const DAY_MS = 86_400_000;
const dayOf = (at: Date): string => at.toISOString().slice(0, 10);
const nameOf = (day: string): string => `${day}.jsonl`;
const dayIn = (name: string): string => name.slice(0, 10);

const shape = z.object({
  method: z.string(),
  reference: z.string(),
  destination: z.string(),
  withdrawalId: z.uuid(),
  // The number of a member is an integer of four bytes.
  memberId: z
    .string()
    .regex(/^\d{1,10}$/)
    .refine((text) => Number(text) < 2 ** 31),
  memberSince: z.iso.datetime().optional(),
  at: z.iso.datetime(),
  points: z.string().regex(/^\d{1,18}$/),
  amountUnits: z
    .string()
    .regex(/^\d{1,18}$/)
    .optional(),
});

/**
 * Records the stored payment of a payout. It is on the disk when the promise resolves, also after a power failure. A
 * line begins and ends with a line break, so that it is whole beside one that a crash cut off or another writes.
 */
export async function recordSentPayment(
  { database, config: { dataDir } }: Pick<Platform, 'database' | 'config'>,
  { withdrawalId, method, destination }: Pick<Payout, 'withdrawalId' | 'method' | 'destination'>,
  reference: string,
  at: Date = new Date(),
): Promise<void> {
  const { memberId, memberSince, points, amountUnits, believedNow } = await readPaidRequest(
    database,
    withdrawalId,
  );
  const payment = {
    method,
    reference,
    destination,
    withdrawalId,
    memberId: String(memberId),
    memberSince: memberSince.toISOString(),
    points: String(points),
    ...(amountUnits !== null && { amountUnits: String(amountUnits) }),
    at: at.toISOString(),
  } satisfies SentPayment;
  const folder = await madeFolder(dataDir);
  const name = nameOf(dayOf(at));
  const known = await namesIn(folder);
  const isNew = !known.includes(name);
  const former = known.findLast((one) => one < name);
  const first = isNew
    ? `\n${JSON.stringify({ formerDay: former === undefined ? null : dayIn(former) })}`
    : '';
  await writeFlushed(join(folder, name), 'a', `${first}\n${JSON.stringify(payment)}\n`);
  if (!isNew) return;
  await syncFolder(folder);
  await syncFolder(nodeFolderOf(dataDir));
  await syncFolder(dataDir);
  // A wrong clock of this node or of the database must not remove what is young.
  await removeOld(folder, at < believedNow ? at : believedNow);
}

/**
 * Writes a file into the folder and removes it, and opens today's, so that an unwritable one is found before a payment
 * is signed.
 */
export async function tryRecord(dataDir: string): Promise<void> {
  const folder = await madeFolder(dataDir);
  const today = nameOf(dayOf(new Date()));
  if ((await namesIn(folder)).includes(today)) await (await open(join(folder, today), 'a+')).close();
  const file = join(folder, `.try-${process.pid}`);
  await writeFlushed(file, 'w', 'a try');
  await rm(file);
}

/** The names of the files of the record, and of each what changes when it is written or replaced. */
export type RecordFiles = ReadonlyMap<string, string>;

/** Lists the files of the record. What else is in the folder changes with each act, and says nothing about payments. */
export async function listRecordFiles(dataDir: string): Promise<RecordFiles> {
  const folder = recordFolderOf(dataDir);
  const files = new Map<string, string>();
  for (const name of await namesIn(folder)) {
    const { size, mtimeMs, ino } = await stat(join(folder, name));
    files.set(name, `${size} ${mtimeMs} ${ino}`);
  }
  return files;
}

/** The names of the files that are new or changed since an earlier list. */
export const changedSince = (files: RecordFiles, before: RecordFiles | undefined): string[] =>
  [...files].flatMap(([name, state]) => (before?.get(name) === state ? [] : [name]));

/** Makes the folder if it is not there: with the first payment or act. */
export async function madeFolder(dataDir: string): Promise<string> {
  const folder = recordFolderOf(dataDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

async function writeFlushed(path: string, flags: 'a' | 'w', text: string): Promise<void> {
  const file = await open(path, flags, 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Removes the files of days that are no longer kept. */
async function removeOld(folder: string, now: Date): Promise<void> {
  const first = nameOf(dayOf(new Date(now.getTime() - DAYS_KEPT * DAY_MS)));
  for (const name of await namesIn(folder)) if (name < first) await rm(join(folder, name));
}

/**
 * Finds whose these payments are, by `keyOf`. Those that this node did not send, or sent earlier, are not there.
 * @param names the files to look in; all of them if none are named
 */
export async function findSentPayments(
  dataDir: string,
  payments: readonly Pick<SentPayment, 'method' | 'reference' | 'destination'>[],
  names?: readonly string[],
): Promise<Map<string, SentPayment>> {
  const asked = new Set(payments.map(keyOf));
  const found = new Map<string, SentPayment>();
  if (asked.size === 0) return found;
  for await (const sent of readSentPayments(dataDir, names))
    for (const payment of sent) if (asked.has(keyOf(payment))) found.set(keyOf(payment), payment);
  return found;
}

/**
 * Reads the payments that this node sent or took over, as far as they are kept, day by day.
 * @param names as `findSentPayments`
 */
export async function* readSentPayments(
  dataDir: string,
  names?: readonly string[],
): AsyncGenerator<SentPayment[]> {
  const folder = recordFolderOf(dataDir);
  for (const name of names ?? (await namesIn(folder))) {
    const found = new Map<string, SentPayment>();
    const text = await readFile(join(folder, name), 'utf8');
    for (const payment of text.split('\n').map(parse))
      if (payment !== undefined) found.set(keyOf(payment), payment);
    yield [...found.values()];
  }
}

const linkShape = z.object({ formerDay: z.iso.date().nullable() });

/**
 * Finds the day since which the record of this node has every payment that the node sent, as far as the files tell.
 * Undefined if there is none: no payment was sent from here, or the folder is missing. A file that is missing ends the
 * record on the day after it, also one that was removed by its age.
 */
export async function findRecordStart(dataDir: string): Promise<string | undefined> {
  const folder = recordFolderOf(dataDir);
  const names = await namesIn(folder);
  let name = names.at(-1);
  while (name !== undefined) {
    const lines = (await readFile(join(folder, name), 'utf8')).split('\n');
    const link = lines.map((line) => linkShape.safeParse(parseLosslessly(line)).data).find((found) => found);
    if (link?.formerDay === null) return dayIn(name);
    // A file from before the links, or whose first line was cut off, names none.
    const current: string = name;
    const former = link === undefined ? names.findLast((one) => one < current) : nameOf(link.formerDay);
    if (former === undefined) return dayIn(name);
    if (!names.includes(former)) return dayOf(new Date(Date.parse(dayIn(former)) + DAY_MS));
    name = former;
  }
  return undefined;
}

/** One payment may pay several members, at different destinations. */
export const keyOf = ({
  method,
  reference,
  destination,
}: Pick<SentPayment, 'method' | 'reference' | 'destination'>): string =>
  JSON.stringify([method, reference, destination]);

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => /^\d{4}-\d\d-\d\d\.jsonl$/.test(name)).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Undefined for a line that a crash cut off. */
const parse = (line: string): SentPayment | undefined => shape.safeParse(parseLosslessly(line)).data;
