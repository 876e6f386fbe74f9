import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isProcessAlive } from './file-lock.ts';

/**
 * The folders of DATA_DIR. `site` is backed up and restored, as a whole. `node` belongs to the life of this node: its
 * files show that an older copy of the site came back, so a restore never touches it. The chains of the simulated coin
 * nodes are there too, because a restore undoes no payment.
 */
export const siteFolderOf = (dataDir: string): string => join(dataDir, 'site');
export const clusterFolderOf = (dataDir: string): string => join(siteFolderOf(dataDir), 'postgres');
export const secretsFolderOf = (dataDir: string): string => join(siteFolderOf(dataDir), 'secrets');

export const nodeFolderOf = (dataDir: string): string => join(dataDir, 'node');
export const markerFileOf = (dataDir: string): string => join(nodeFolderOf(dataDir), 'payments.json');
export const recordFolderOf = (dataDir: string): string => join(nodeFolderOf(dataDir), 'payments');
export const chainsFolderOf = (dataDir: string): string => join(nodeFolderOf(dataDir), 'sandbox');

/** A folder `postgres` without the password that a node made for it may be of another program. */
const hasOwnCluster = (dataDir: string): boolean =>
  [join(dataDir, 'secrets'), secretsFolderOf(dataDir)].some((secrets) =>
    existsSync(join(secrets, 'postgres-superuser')),
  );

/** What a former release has in DATA_DIR itself, and where it is now. */
const moves = (dataDir: string): { from: string; to: string }[] =>
  [
    ...(hasOwnCluster(dataDir) ? [clusterFolderOf(dataDir), `${clusterFolderOf(dataDir)}.start.log`] : []),
    secretsFolderOf(dataDir),
    markerFileOf(dataDir),
    recordFolderOf(dataDir),
    chainsFolderOf(dataDir),
  ]
    .map((to) => ({ from: join(dataDir, basename(to)), to }))
    .filter(({ from }) => lstatSync(from, { throwIfNoEntry: false }) !== undefined);

/** Why a command can't use a DATA_DIR of a former release. Undefined if it can. */
export const findUnmoved = (dataDir: string): string | undefined =>
  moves(dataDir).length === 0
    ? undefined
    : `DATA_DIR: ${dataDir} is of a former release; start the site once, which moves its files to site/ and node/`;

/**
 * Moves the files of a former release to their folders. Each is one rename, so a start that was broken off goes on.
 * Moves nothing that a person must look at first. @returns the lines that say so
 */
export function moveFormerFiles(dataDir: string): string[] {
  const found = moves(dataDir);
  const faults = found.flatMap(({ from, to }) => faultOfMove(from, to) ?? []);
  if (found.length === 0 || faults.length > 0) return faults;
  for (const { from, to } of found) {
    mkdirSync(dirname(to), { recursive: true });
    try {
      renameSync(from, to);
    } catch (error) {
      return [byHand(from, to, (error as NodeJS.ErrnoException).code ?? String(error))];
    }
  }
  // In this order a crash of the machine leaves each file in one of its two places.
  for (const folder of [siteFolderOf(dataDir), nodeFolderOf(dataDir), dataDir]) sync(folder);
  return [];
}

/** What to do with two of one name. Both records of payments are true, so none of their lines may be lost. */
const joinedBy: Record<string, string> = {
  postgres: 'remove the one that is wrong',
  'postgres.start.log': 'remove the one that is wrong',
  secrets: 'remove the one that is wrong',
  sandbox: 'remove the one that is wrong',
  'payments.json': 'keep the one with the higher paymentCount',
  payments: 'add the lines of each file to the one of its name in the second, then remove the first',
};

function faultOfMove(from: string, to: string): string | undefined {
  if (existsSync(to))
    return `DATA_DIR: ${from} and ${to} are there, so a former release was started again; ${joinedBy[basename(to)]}`;
  if (lstatSync(from).isSymbolicLink()) return byHand(from, to, 'it is a link');
  const pid = findServer(from);
  return pid && `DATA_DIR: PostgreSQL (process ${pid}) still runs in ${from}; stop it and start again`;
}

const byHand = (from: string, to: string, why: string): string =>
  `DATA_DIR: ${from} can’t be moved (${why}); move it to ${to} and start again`;

/** The server that runs in a folder of PostgreSQL. On another system than Linux, any process with its number. */
function findServer(folder: string): string | undefined {
  const file = join(folder, 'postmaster.pid');
  if (!existsSync(file)) return undefined;
  const pid = readFileSync(file, 'utf8').split('\n')[0] ?? '';
  if (process.platform !== 'linux') return isProcessAlive(Number(pid)) ? pid : undefined;
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(folder) ? pid : undefined;
  } catch (error) {
    // It has ended, or the number belongs to a process of somebody else.
    if (!['ENOENT', 'ESRCH', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return undefined;
  }
}

function sync(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const handle = openSync(folder, 'r');
  fsyncSync(handle);
  closeSync(handle);
}
