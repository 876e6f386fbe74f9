/** A lock between processes of one machine, for steps before the database runs. */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Runs `work` while this process holds the lock file. Takes over the file of a process that ended. */
export async function withFileLock<T>(file: string, timeoutMs: number, work: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  const owner = `${process.pid} ${randomUUID()}`;
  while (!tryTake(file, owner)) {
    removeIfAbandoned(file);
    if (Date.now() > deadline) throw new Error(`Another process holds ${file} for too long`);
    await sleep(25);
  }
  try {
    return await work();
  } finally {
    if (readIfThere(file) === owner) fs.rmSync(file, { force: true });
  }
}

/** Writes a draft and links it into place, so that the lock file is never incomplete. */
function tryTake(file: string, owner: string): boolean {
  const draft = `${file}.${owner.replace(' ', '.')}`;
  try {
    fs.writeFileSync(draft, owner);
    fs.linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    fs.rmSync(draft, { force: true });
  }
}

function removeIfAbandoned(file: string): void {
  const owner = readIfThere(file);
  if (owner === undefined || isProcessAlive(Number(owner.split(' ')[0]))) return;
  // Only one process can rename it. If a new lock was put there since it was read, put it back.
  const aside = `${file}.${randomUUID()}`;
  try {
    fs.renameSync(file, aside);
    if (fs.readFileSync(aside, 'utf8') !== owner) fs.linkSync(aside, file);
    fs.rmSync(aside);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== 'ENOENT' && code !== 'EEXIST') throw error;
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Whether a process with this id exists, of any user. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
