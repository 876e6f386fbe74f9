/**
 * Which release this is, and which older ones may run beside it. A start of the newest release brings the schema and
 * the functions of a database to its own. An older one that is started afterwards, to go back or because a node
 * restarts, leaves them as they are.
 */
import fs from 'node:fs';
import path from 'node:path';

export type Release = {
  /** Three numbers, as in package.json. */
  version: string;
  /** The oldest release whose program works with the schema and the functions of this one. */
  oldest: string;
};

const { version } = JSON.parse(
  fs.readFileSync(path.resolve(import.meta.dirname, '../../package.json'), 'utf8'),
) as { version: string };

/** A change that an older program can't work with, such as a dropped column or parameter, raises `oldest`. */
export const thisRelease: Release = { version, oldest: '0.1.0' };

/** Compares two versions by their numbers. Negative if the first is older. */
export function compareVersions(one: string, other: string): number {
  const [ours, theirs] = [numbersOf(one), numbersOf(other)];
  const index = ours.findIndex((number, place) => number !== theirs[place]);
  return index === -1 ? 0 : (ours[index] ?? 0) - (theirs[index] ?? 0);
}

function numbersOf(version: string): number[] {
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error(`The release "${version}" is not three numbers`);
  return version.split('.').map(Number);
}
