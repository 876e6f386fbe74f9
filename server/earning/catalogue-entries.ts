import { hash } from 'node:crypto';
import {
  type addEntry as addEndpoint,
  type CatalogueEntry,
  type changeEntry as changeEndpoint,
  type EntryMove,
  type ImportedEntry,
  PICTURE_BYTES_MAX,
  pointsOfSteps,
} from '#contract/earning-catalogue-entries.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { changedFields, recordActs } from '#platform/audit-trail.ts';
import type { Database, Tx } from '#platform/database.ts';
import { InvalidRequest } from '#platform/http/problem.ts';
import type { Platform } from '#platform/platform.ts';
import { refuse } from '#platform/refusal.ts';
import { refuseChanged, versionOf } from '#platform/settings-version.ts';
import { imageUrlOf, usableProviders } from './catalogue.ts';
import * as queries from './catalogue-entry-queries.ts';

/**
 * The catalogue as operators keep it. Rules:
 * - A new entry stands above the others of its kind, and operators move it from there.
 * - An entry is hidden, or taken off. What members have begun or earned belongs to the provider, so it stays.
 * - The reward of an entry with steps is their sum.
 * - A picture is stored here and never loaded from elsewhere, so that no other site learns who looks.
 */

type Fields = BodyOf<typeof addEndpoint>;

/** What an operator sets, for the audit trail and the version. */
export const fieldsOf = (row: queries.EntryRow) => ({
  kind: row.kind,
  category: row.category,
  provider: row.provider,
  title: row.title,
  titleKo: row.titleKo,
  description: row.description,
  descriptionKo: row.descriptionKo,
  reward: row.points.toString(),
  minutes: row.minutes,
  url: row.url,
  steps: row.steps,
  picture: row.picture,
  isEnabled: row.isEnabled,
  expiresAt: row.expiresAt?.toISOString() ?? null,
});

/** An entry in the contract's shape. */
export function entryOf(row: queries.EntryRow): CatalogueEntry {
  const { picture, ...fields } = fieldsOf(row);
  return {
    ...fields,
    id: row.id.toString(),
    imageUrl: imageUrlOf(picture),
    state: row.state,
    createdAt: row.createdAt.toISOString(),
    version: versionOf(fieldsOf(row)),
  };
}

/** The fields as they are stored. */
export const storedFieldsOf = ({ reward, steps, ...fields }: ImportedEntry): queries.EntryFields => ({
  ...fields,
  steps,
  points: steps.length > 0 ? pointsOfSteps(steps) : BigInt(reward ?? 0),
});

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);

/** The type by the first bytes. A drawing such as SVG could hold a program, so it is none of them. */
function typeOf(bytes: Buffer): string | undefined {
  if (bytes.subarray(0, PNG.length).equals(PNG)) return 'image/png';
  if (bytes.subarray(0, JPEG.length).equals(JPEG)) return 'image/jpeg';
  const isWebp = bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP';
  return isWebp ? 'image/webp' : undefined;
}

function pictureOf(base64: string): queries.Picture {
  const bytes = Buffer.from(base64, 'base64');
  const type = typeOf(bytes);
  const wrong = (message: string) => new InvalidRequest([{ path: 'picture', message }]);
  if (type === undefined) throw wrong('Must be a PNG, JPEG or WebP picture');
  if (bytes.length > PICTURE_BYTES_MAX) throw wrong(`At most ${PICTURE_BYTES_MAX / 1024} KiB`);
  return { hash: hash('sha256', bytes, 'hex'), type, bytes };
}

/** Stores, removes or keeps the picture of an entry. */
async function setPicture(tx: Tx, id: bigint, picture: queries.Picture | null | undefined): Promise<void> {
  if (picture === null) await queries.deletePicture(tx, id);
  else if (picture !== undefined) await queries.putPicture(tx, id, picture);
}

const parsedPicture = (picture: string | null | undefined) =>
  typeof picture === 'string' ? pictureOf(picture) : picture;

async function readEntry(tx: Tx, id: bigint, usable: readonly string[]): Promise<queries.EntryRow> {
  const row = await queries.findEntry(tx, id, usable);
  if (row === undefined) throw refuse('not-found');
  return row;
}

/** Locks an entry and reads it. @throws Refusal `not-found` */
async function lockedEntry(tx: Tx, id: bigint, usable: readonly string[]): Promise<queries.EntryRow> {
  if (!(await queries.lockEntry(tx, id))) throw refuse('not-found');
  return readEntry(tx, id, usable);
}

async function requireProvider(tx: Tx, provider: string): Promise<void> {
  if (!(await queries.findProviderId(tx, provider))) throw refuse('unknown-provider');
}

/** The target of the acts on an entry. */
export const targetOf = (id: bigint) => ({ kind: 'listing', id: id.toString() }) as const;

/** Adds an entry. @throws Refusal `unknown-provider`, `invalid-request` */
export async function addEntry(
  platform: Platform,
  { picture, ...body }: Fields,
  operatorId: number,
): Promise<CatalogueEntry> {
  const usable = await usableProviders(platform);
  const parsed = parsedPicture(picture);
  return platform.database.transaction(async (tx) => {
    await requireProvider(tx, body.provider);
    const id = await queries.insertEntry(tx, storedFieldsOf(body));
    await setPicture(tx, id, parsed);
    const row = await readEntry(tx, id, usable);
    await recordActs(tx, [
      { actor: operatorId, act: 'catalogue.add', target: targetOf(id), after: fieldsOf(row) },
    ]);
    return entryOf(row);
  });
}

/**
 * Changes an entry.
 * @throws Refusal `not-found`, `unknown-provider`, `settings-changed`, `invalid-request`
 */
export async function changeEntry(
  platform: Platform,
  { id, body, operatorId }: { id: bigint; body: BodyOf<typeof changeEndpoint>; operatorId: number },
): Promise<CatalogueEntry> {
  const { picture, version, ...fields } = body;
  const usable = await usableProviders(platform);
  const parsed = parsedPicture(picture);
  return platform.database.transaction(async (tx) => {
    const before = await lockedEntry(tx, id, usable);
    refuseChanged(version, fieldsOf(before));
    await requireProvider(tx, fields.provider);
    await queries.updateEntry(tx, id, storedFieldsOf(fields));
    await setPicture(tx, id, parsed);
    const after = await readEntry(tx, id, usable);
    const changed = changedFields(fieldsOf(before), fieldsOf(after));
    if (changed !== undefined)
      await recordActs(tx, [
        { actor: operatorId, act: 'catalogue.change', target: targetOf(id), ...changed },
      ]);
    return entryOf(after);
  });
}

type Side = 'above' | 'below';

/**
 * Puts an entry between another one of its kind and the next on this side of that. Returns whether it moved.
 * @throws Refusal `not-found` if the other one is not there
 */
async function moveBeside(tx: Tx, row: queries.EntryRow, otherId: bigint, side: Side): Promise<boolean> {
  for (;;) {
    const near = await queries.findPlace(tx, otherId, row.kind);
    if (near === undefined) throw refuse('not-found');
    const [far] = await queries.readNeighbours(tx, otherId, side);
    if (otherId === row.id || far?.id === row.id) return false;
    if (far === undefined) {
      await queries.moveToEnd(tx, row.id, side);
      return true;
    }
    const middle = (near.position + far.position) / 2n;
    const [low, high] = side === 'above' ? [near, far] : [far, near];
    if (low.position < middle && middle < high.position) {
      await queries.setPosition(tx, row.id, middle);
      return true;
    }
    await queries.numberAnew(tx, row.kind);
  }
}

async function moved(tx: Tx, row: queries.EntryRow, { to, other }: EntryMove): Promise<boolean> {
  if ((to === 'above' || to === 'below') && other !== undefined)
    return moveBeside(tx, row, BigInt(other), to);
  const side = to === 'first' || to === 'up' ? 'above' : 'below';
  const [neighbour] = await queries.readNeighbours(tx, row.id, side);
  if (neighbour === undefined) return false;
  if (to === 'up' || to === 'down') return moveBeside(tx, row, neighbour.id, side);
  await queries.moveToEnd(tx, row.id, side);
  return true;
}

/** Moves an entry among those of its kind. One that is at the end stays. @throws Refusal `not-found` */
export async function moveEntry(
  platform: Platform,
  { id, move, operatorId }: { id: bigint; move: EntryMove; operatorId: number },
): Promise<CatalogueEntry> {
  const usable = await usableProviders(platform);
  return platform.database.transaction(async (tx) => {
    const row = await lockedEntry(tx, id, usable);
    if (await moved(tx, row, move))
      await recordActs(tx, [
        {
          actor: operatorId,
          act: 'catalogue.move',
          target: targetOf(id),
          after: { title: row.title, ...move },
        },
      ]);
    return entryOf(row);
  });
}

/** Takes an entry off the catalogue. @throws Refusal `not-found` */
export async function removeEntry(
  { database }: { database: Database },
  { id, operatorId }: { id: bigint; operatorId: number },
): Promise<null> {
  return database.transaction(async (tx) => {
    const row = await lockedEntry(tx, id, []);
    await queries.deleteEntry(tx, id);
    await recordActs(tx, [
      { actor: operatorId, act: 'catalogue.remove', target: targetOf(id), before: fieldsOf(row) },
    ]);
    return null;
  });
}
