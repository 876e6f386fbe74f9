import { spawnSync } from 'node:child_process';
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isWebStale } from '../web/build.ts';

/**
 * `npm start`: builds the web where its sources changed, in a process of its own so that the build tool's
 * memory does not stay, then becomes the server.
 */
enableCompileCache();
if (isWebStale()) {
  const script = fileURLToPath(new URL('../web/build.ts', import.meta.url));
  const { status } = spawnSync(process.execPath, [script, '--if-stale'], { stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(status ?? 1);
}
await import('./main.ts');
