import { spawn, spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

/**
 * `npm run dev`: builds the web when its sources change, and restarts the server when its own sources or the built web
 * change, because it reads the documents at its start.
 */
const root = resolve(import.meta.dirname, '..');
const bin = (name: string) => resolve(root, 'node_modules/.bin', name);
const options = { cwd: root, stdio: 'inherit' as const };

// The server needs the built documents.
spawnSync(process.execPath, ['web/build/build.ts', '--if-stale'], options);
const children = [
  spawn(
    bin('vite'),
    ['build', '--config', 'web/vite.config.ts', '--watch', '--mode', 'development'],
    options,
  ),
  spawn(
    process.execPath,
    ['--watch-path=server', '--watch-path=contract', '--watch-path=web/dist', 'server/main.ts'],
    options,
  ),
];
const stop = () => {
  for (const child of children) child.kill('SIGTERM');
};
process.on('SIGINT', stop);
process.on('SIGTERM', stop);
for (const child of children) child.on('exit', stop);
