import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { markerFileOf } from '#platform/data-folders.ts';
import { parseLosslessly } from './lossless-json.ts';
import type { NumberedPayment } from './reconciliation-queries.ts';

/**
 * The marker: what this node last knew of the payments in the database, in a file outside of it. `timelines.ts`
 * compares the two. The file is flushed before a payment is sent, so a copy of the database from before that payment is
 * behind the marker, or has another payment under its number.
 */
export type Marker = NumberedPayment & {
  stamp: string;
  /** The accounts that each method has paid from, the newest last. */
  accounts: Accounts;
};

export type Accounts = Readonly<Record<string, readonly string[]>>;

const shape = z.strictObject({
  stamp: z.uuid(),
  paymentCount: z.string().regex(/^\d{1,18}$/),
  digest: z.string().regex(/^([A-Za-z0-9+/=]{44})?$/),
  storedAt: z.iso.datetime().nullable(),
  // A marker from before the first payment may name none.
  accounts: z.record(z.string(), z.array(z.string())).default({}),
});

/** Reads the marker. Undefined if there is none, or none that can be read, which counts as none. */
export async function findMarker(dataDir: string): Promise<Marker | undefined> {
  let text: string;
  try {
    text = await readFile(markerFileOf(dataDir), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const marker = shape.safeParse(parseLosslessly(text)).data;
  if (marker === undefined) return undefined;
  const { stamp, paymentCount, digest, storedAt, accounts } = marker;
  const at = storedAt === null ? null : new Date(storedAt);
  return { stamp, paymentCount: BigInt(paymentCount), digest, storedAt: at, accounts };
}

/** The accounts of a marker with those that the database notes now as the newest of their methods. */
export function withAccounts(known: Accounts, noted: Readonly<Record<string, string>>): Accounts {
  const next = { ...known };
  for (const [method, account] of Object.entries(noted))
    next[method] = [...(next[method] ?? []).filter((one) => one !== account), account];
  return next;
}

/** The latest write of this process. The next one waits for it, so that a count never becomes lower. */
let writing: Promise<void> = Promise.resolve();

/** Runs a write of a marker after the latest one. */
export function afterLatestWrite(write: () => Promise<void>): Promise<void> {
  // The caller of a write that failed has its error. The next write begins all the same.
  writing = writing.then(write, write);
  return writing;
}

/**
 * Writes the marker, unless the file has the same stamp with at least this count. It is on the disk when the promise
 * resolves, also after a power failure. The accounts of the file stay in it.
 * @param noted the account that each method pays from now
 */
export function raiseMarker(
  dataDir: string,
  marker: Omit<Marker, 'accounts'>,
  noted: Readonly<Record<string, string>>,
): Promise<void> {
  return afterLatestWrite(async () => {
    const current = await findMarker(dataDir);
    if (current?.stamp === marker.stamp && current.paymentCount >= marker.paymentCount) return;
    const accounts = withAccounts(current?.accounts ?? {}, noted);
    await writeWhole(markerFileOf(dataDir), textOf({ ...marker, accounts }));
  });
}

/** Writes a marker beside the present one and removes it, so that a full or unwritable disk is found in time. */
export const tryMarker = (dataDir: string): Promise<void> =>
  afterLatestWrite(async () => {
    await rm(await writeDraft(markerFileOf(dataDir), 'a try'));
  });

const textOf = ({ stamp, paymentCount, digest, storedAt, accounts }: Marker): string =>
  `${JSON.stringify({ stamp, paymentCount: String(paymentCount), digest, storedAt, accounts })}\n`;

/** Writes and flushes a draft of a file. Returns its path. */
async function writeDraft(path: string, text: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  const file = await open(draft, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  return draft;
}

/** Replaces a file as a whole: a draft is flushed and renamed, and the rename is flushed with the folder. */
export async function writeWhole(path: string, text: string): Promise<void> {
  await rename(await writeDraft(path, text), path);
  const opened = await open(dirname(path), 'r');
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
}
