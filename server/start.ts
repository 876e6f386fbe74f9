import { spawnSync } from 'node:child_process';
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isWebStale } from '../web/build/build.ts';

/**
 * `npm start`: builds the web if its sources changed, then runs the server. The build is a separate process, so that
 * its memory is freed.
 */
enableCompileCache();
if (isWebStale()) {
  const script = fileURLToPath(new URL('../web/build/build.ts', import.meta.url));
  const { status } = spawnSync(process.execPath, [script, '--if-stale'], { stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(status ?? 1);
}
await import('./main.ts');
