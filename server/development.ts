import { spawn } from 'node:child_process';
import { resolve } from 'node:path';

/** `npm run dev`: builds the web and restarts the server when their sources change. */
const root = resolve(import.meta.dirname, '..');
const bin = (name: string) => resolve(root, 'node_modules/.bin', name);
const options = { cwd: root, stdio: 'inherit' as const };

const children = [
  spawn(
    bin('vite'),
    ['build', '--config', 'web/vite.config.ts', '--watch', '--mode', 'development'],
    options,
  ),
  spawn(process.execPath, ['--watch-path=server', '--watch-path=contract', 'server/main.ts'], options),
];
const stop = () => {
  for (const child of children) child.kill('SIGTERM');
};
process.on('SIGINT', stop);
process.on('SIGTERM', stop);
for (const child of children) child.on('exit', stop);
