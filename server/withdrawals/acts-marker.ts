import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { type ActPlace, isActAt, readNewestAct } from '#platform/act-places.ts';
import { recordFolderOf } from '#platform/data-folders.ts';
import type { Platform } from '#platform/platform.ts';
import { parseLosslessly } from './lossless-json.ts';
import { afterLatestWrite, writeWhole } from './payment-marker.ts';
import { madeFolder } from './sent-payments.ts';

/**
 * The marker of acts: the newest row of the audit trail that this node has seen, in a file beside the record of sent
 * payments. A database that has no row with this number, or one with another hash, lacks an act: an approval that was
 * taken back, a suspension, a denial. The count of payments does not show that. It is a file of its own, because a
 * former release reads the marker of payments and knows no more in it.
 */
const FILE = 'acts.json';
const shape = z.strictObject({
  number: z.string().regex(/^\d{1,18}$/),
  hash: z.string().regex(/^([0-9a-f]{64})?$/),
});

/**
 * Reads the marker. Undefined if there is none, or none that can be read: a node of a former release has none, so
 * nothing follows from that.
 */
export async function findActsMarker(dataDir: string): Promise<ActPlace | undefined> {
  let text: string;
  try {
    text = await readFile(join(recordFolderOf(dataDir), FILE), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const marker = shape.safeParse(parseLosslessly(text)).data;
  return marker && { number: BigInt(marker.number), hash: marker.hash };
}

/** Writes the marker, unless the file has at least this number. */
export function raiseActsMarker(dataDir: string, place: ActPlace): Promise<void> {
  return afterLatestWrite(async () => {
    const current = await findActsMarker(dataDir);
    if (current === undefined || current.number < place.number) await write(dataDir, place);
  });
}

/** Writes the marker of another database, which may have fewer acts. */
export const replaceActsMarker = (dataDir: string, place: ActPlace): Promise<void> =>
  afterLatestWrite(() => write(dataDir, place));

const write = async (dataDir: string, { number, hash }: ActPlace): Promise<void> =>
  writeWhole(join(await madeFolder(dataDir), FILE), `${JSON.stringify({ number: String(number), hash })}\n`);

/**
 * A sweep's turn: raises the marker to the newest act. It writes nothing while the database differs from the marker,
 * which `verifyTimeline` finds.
 */
export async function keepActsMarker({
  database,
  config: { dataDir },
}: Pick<Platform, 'database' | 'config'>): Promise<void> {
  const marker = await findActsMarker(dataDir);
  const newest = await readNewestAct(database);
  if (newest.number <= (marker?.number ?? 0n)) return;
  if (marker !== undefined && !(await isActAt(database, marker))) return;
  await raiseActsMarker(dataDir, newest);
}
