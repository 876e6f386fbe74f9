import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { Writable } from 'node:stream';
import { runCommand } from '../server/admin.ts';
import { writingTo } from '../server/admin-print.ts';

/** How a command of the operator's command line ended, and what it wrote. */
export type Ended = { code: number; said: string; complained: string };

/** Runs a command of `npm run admin` in this process, with this environment only. */
export async function runAdmin(environment: Record<string, string>, ...words: string[]): Promise<Ended> {
  let [said, complained] = ['', ''];
  const into = (keep: (text: string) => void) =>
    new Writable({
      write: (chunk, _encoding, done) => {
        keep(String(chunk));
        done();
      },
    });
  const output = {
    lines: into((text) => {
      said += text;
    }),
    complaints: into((text) => {
      complained += text;
    }),
  };
  const code = await writingTo(output, () => runCommand(words, environment));
  return { code, said, complained };
}

/** Runs it as a process of its own, as an operator does. */
export async function runAdminProcess(
  environment: Record<string, string>,
  ...words: string[]
): Promise<Ended> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, ['server/admin.ts', ...words], {
    cwd: resolve(import.meta.dirname, '..'),
    env: { PATH, NODE_COMPILE_CACHE, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [said, complained] = ['', ''];
  child.stdout.on('data', (piece) => {
    said += piece;
  });
  child.stderr.on('data', (piece) => {
    complained += piece;
  });
  const [code] = await once(child, 'close');
  return { code, said, complained };
}
