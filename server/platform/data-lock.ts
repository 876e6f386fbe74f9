/**
 * The lock of a data folder. A node holds it for the life of its process, because the folder is its own memory of what
 * it paid: two nodes that write one record could pay twice. Commands beside a node do not take it.
 *
 * It is a lock of the kernel on an empty file, which ends with the process, also at `kill -9`, and which holds between
 * containers that share the folder. Node has no function for it, so an SQLite database without content takes it.
 */
import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ConfigFault } from './config.ts';
import { nodeFolderOf } from './data-folders.ts';

const FILE = 'node.lock';
const SQLITE_BUSY = 5;

/** Takes the lock, and returns what gives it back. @throws ConfigFault if another node has it, or none can be taken */
export function lockDataDir(dataDir: string): () => void {
  const folder = nodeFolderOf(dataDir);
  const file = path.join(folder, FILE);
  let lock: DatabaseSync | undefined;
  try {
    fs.mkdirSync(folder, { recursive: true });
  } catch (error) {
    const why = `can't be made or written (${(error as Error).message}); name a folder that this user may write`;
    throw new ConfigFault([`DATA_DIR: ${dataDir} ${why}`]);
  }
  try {
    if (!fs.existsSync(file)) fs.writeFileSync(file, '', { mode: 0o600 });
    const taken = new DatabaseSync(file, { timeout: 0 });
    lock = taken;
    taken.exec('begin exclusive');
    return () => taken.close();
  } catch (error) {
    lock?.close();
    throw new ConfigFault([`DATA_DIR: ${faultOf(dataDir, error as Error & { errcode?: number })}`]);
  }
}

function faultOf(dataDir: string, { errcode, message }: Error & { errcode?: number }): string {
  if (errcode === SQLITE_BUSY)
    return `another node uses ${dataDir}; end that one, or name a folder that no other node uses`;
  return `${dataDir} can't be locked (${message}); correct its owner and mode, or use a disk that locks files`;
}
