import { mkdir, open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { parseLosslessly } from './lossless-json.ts';
import type { Turn } from './payout-turn.ts';
import { type Payout, readPaidRequest } from './queries.ts';

/**
 * The record of sent payments: whose each payment is, in files outside the database. After a restore the database may
 * not know a request that was paid since, and its points are back in the member's balance. The outside party names a
 * destination only. One file a day, beside the marker; a line is on the disk before its payment is sent. Each node
 * records what it sends itself, for 30 days.
 */
type SentPayment = {
  method: string;
  reference: string;
  destination: string;
  withdrawalId: string;
  memberId: string;
  points: string;
};

const FOLDER = 'payments';
const DAYS_KEPT = 30;
const DAY_MS = 86_400_000;
const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

const shape = z.object({
  method: z.string(),
  reference: z.string(),
  destination: z.string(),
  withdrawalId: z.uuid(),
  memberId: z.string().regex(/^\d{1,10}$/),
  points: z.string().regex(/^\d{1,18}$/),
});

/** Records the stored payment of a payout. It is on the disk when the promise resolves, also after a power failure. */
export async function recordSentPayment(
  { database, config: { dataDir } }: Pick<Turn, 'database' | 'config'>,
  { withdrawalId, method, destination }: Payout,
  reference: string,
  at: Date = new Date(),
): Promise<void> {
  const { memberId, points } = await readPaidRequest(database, withdrawalId);
  const payment = {
    method,
    reference,
    destination,
    withdrawalId,
    memberId: String(memberId),
    points: String(points),
  };
  const folder = join(dataDir, FOLDER);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const name = `${dayOf(at)}.jsonl`;
  const isNew = !(await readdir(folder)).includes(name);
  const file = await open(join(folder, name), 'a', 0o600);
  try {
    // A line that a crash cut off ends here.
    await file.writeFile(`${isNew ? '' : '\n'}${JSON.stringify({ at, ...(payment satisfies SentPayment) })}`);
    await file.sync();
  } finally {
    await file.close();
  }
  if (!isNew) return;
  await syncFolder(folder);
  await syncFolder(dataDir);
  await removeOld(folder, at);
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
async function removeOld(folder: string, at: Date): Promise<void> {
  const first = `${dayOf(new Date(at.getTime() - DAYS_KEPT * DAY_MS))}.jsonl`;
  for (const name of await readdir(folder)) if (name < first) await rm(join(folder, name));
}

/** Finds whose these payments are, by `keyOf`. Those that this node did not send, or sent earlier, are not there. */
export async function findSentPayments(
  dataDir: string,
  payments: readonly Pick<SentPayment, 'method' | 'reference' | 'destination'>[],
): Promise<Map<string, SentPayment>> {
  const asked = new Set(payments.map(keyOf));
  const found = new Map<string, SentPayment>();
  if (asked.size === 0) return found;
  for (const name of await namesIn(join(dataDir, FOLDER))) {
    const text = await readFile(join(dataDir, FOLDER, name), 'utf8');
    for (const payment of text.split('\n').map(parse))
      if (payment !== undefined && asked.has(keyOf(payment))) found.set(keyOf(payment), payment);
  }
  return found;
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
    return (await readdir(folder)).filter((name) => name.endsWith('.jsonl')).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Undefined for a line that a crash cut off. */
const parse = (line: string): SentPayment | undefined => shape.safeParse(parseLosslessly(line)).data;
