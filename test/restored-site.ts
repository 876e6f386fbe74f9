import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext } from 'node:test';
import { chainActs } from '#platform/act-chain.ts';
import { recordFolderOf } from '#platform/data-folders.ts';
import { sql } from '#platform/database.ts';
import { readUnaccounted } from '../server/withdrawals/accounted-queries.ts';
import { keepActsMarker } from '../server/withdrawals/acts-marker.ts';
import { approveWithdrawal } from '../server/withdrawals/decisions.ts';
import { noteNotOwed } from '../server/withdrawals/notes-command.ts';
import { readPayout } from '../server/withdrawals/payout-list.ts';
import { findPayout } from '../server/withdrawals/queries.ts';
import { reconcilePayouts } from '../server/withdrawals/reconcile-command.ts';
import { verifyTimeline } from '../server/withdrawals/timelines.ts';
import { randomRegtestAddress, startLitecoind } from './litecoind.ts';
import type { Coin } from './offered-methods.ts';
import { ask, connectLitecoin, startWorld, sweepNow, type World } from './withdrawals-world.ts';

/** A site with a wallet of its own, and the nodes of copies that are restored from it. */
export async function startSite(coins: readonly Coin[] = ['litecoin']) {
  const world = await startWorld({ after }, coins);
  const node = await startLitecoind({ after });
  const connect = (at: World) => connectLitecoin(at, node.access);
  /** Its coin node answers no more. */
  const disconnect = (at: World) => connectLitecoin(at, { ...node.access, port: 1 });
  await connect(world);
  // A database without withdrawals is believed also by a node that knows nothing.
  await request(world, await world.member(2_000n));
  return { world, node, connect, disconnect };
}

export const request = async (at: World, member: number, address = randomRegtestAddress(), points = 2_000n) =>
  (await ask(at, member, points, address)).id;
export const approve = (at: World, id: string) => approveWithdrawal(at.parts, at.operator, id);
export const stateOf = async (at: World, id: string) => (await readPayout(at.database, id)).state;
export const referenceOf = async (at: World, id: string): Promise<string> => {
  const { reference } = (await findPayout(at.owner, id)) ?? {};
  assert(reference);
  return reference;
};

/** A turn of the sweep of the audit trail. */
export const chain = async ({ parts }: World): Promise<void> => {
  await chainActs(parts);
  await keepActsMarker(parts);
};

/** A node on a database, with a folder of its own: as it is made, with the markers of the former site, or all. */
export function nodeOn(t: TestContext, at: World, knows: 'nothing' | 'the markers' | 'the record'): World {
  const dataDir = mkdtempSync(join(tmpdir(), 'node-'));
  t.after(() => rmSync(dataDir, { recursive: true, force: true }));
  if (knows !== 'nothing') cpSync(at.parts.config.dataDir, dataDir, { recursive: true });
  if (knows === 'the markers') {
    const record = recordFolderOf(dataDir);
    for (const name of readdirSync(record).filter((one) => one.endsWith('.jsonl')))
      rmSync(join(record, name));
  }
  return { ...at, parts: { ...at.parts, config: { ...at.parts.config, dataDir } } };
}

export async function startNode(at: World): Promise<void> {
  await verifyTimeline(at.parts);
  await sweepNow(at);
}

/** Asks, approves and sends. */
export async function pay(at: World, member: number, address?: string, points?: bigint) {
  const id = await request(at, member, address, points);
  await approve(at, id);
  await sweepNow(at);
  return { id, reference: await referenceOf(at, id) };
}

/** Takes note of the payments that a run has printed; also of those whose member is known, if nothing is owed. */
export async function takeNote(at: World, reason: string, isNotOwed = false): Promise<string[]> {
  await reconcilePayouts(at.parts);
  const owned = (await readUnaccounted(at.database, 100)).filter(
    ({ memberId, pointsAre }) => memberId !== null && pointsAre !== 'held',
  );
  const references = isNotOwed ? owned.map(({ reference }) => reference) : [];
  if (references.length > 0) await noteNotOwed(at.parts, references, reason);
  return (await reconcilePayouts(at.parts, null, reason)).lines;
}

export const stopOf = async (at: World, id: string): Promise<string | null> =>
  (await at.owner.one<{ stop: string | null }>(sql`select withdrawals.stop_of(${id}) as stop`)).stop;
