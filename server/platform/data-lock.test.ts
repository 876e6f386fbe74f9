import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '../../test/temporary-directory.ts';
import { lockDataDir } from './data-lock.ts';

const FAULT = /^DATA_DIR: another node uses [^\n]+; end that one, or name a folder that no other node uses$/;

/** A process that has the lock until it is killed. */
async function startHolder(dataDir: string) {
  const module = JSON.stringify(fileURLToPath(new URL('./data-lock.ts', import.meta.url)));
  const program = `
    import { lockDataDir } from ${module};
    globalThis.release = lockDataDir(${JSON.stringify(dataDir)});
    setInterval(() => globalThis.gc(), 20);
    console.log('locked');`;
  const child = spawn(process.execPath, ['--expose-gc', '--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

it('refuses a second node in one line for as long as the first one runs, and not after kill -9', async () => {
  const dataDir = join(temporaryDirectory(), 'made-by-the-first');
  const holder = await startHolder(dataDir);
  for (let tries = 0; tries < 3; tries += 1) assert.throws(() => lockDataDir(dataDir), { message: FAULT });
  const ended = once(holder, 'exit');
  holder.kill('SIGKILL');
  await ended;
  const release = lockDataDir(dataDir);
  assert.throws(() => lockDataDir(dataDir), { message: FAULT });
  release();
  lockDataDir(dataDir)();
});

it('names the folder and the reason where no lock can be taken', () => {
  const dataDir = temporaryDirectory();
  mkdirSync(join(dataDir, 'node/node.lock'), { recursive: true });
  assert.throws(() => lockDataDir(dataDir), {
    message: /^DATA_DIR: [^\n]+ can't be locked \([^\n]+\); correct/,
  });
});
