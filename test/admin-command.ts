import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { runCommand } from '../server/admin.ts';
import { printingTo } from '../server/admin-print.ts';

/** How a command of the operator's command line ended, and what it wrote. */
export type Ended = { code: number; said: string; complained: string };

/** Runs a command of `npm run admin` in this process, with this environment only. */
export async function runAdmin(environment: Record<string, string>, ...words: string[]): Promise<Ended> {
  let [said, complained] = ['', ''];
  const output = {
    print: (line: string) => {
      said += `${line}\n`;
    },
    printError: (line: string) => {
      complained += `${line}\n`;
    },
  };
  const code = await printingTo(output, () => runCommand(words, environment));
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
