import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Site } from './site.ts';

/** Starts the server of `bare-server.ts` on the database of `site`. */
export async function startBareServer(site: Site): Promise<{ port: number; close: () => Promise<void> }> {
  const child = fork(join(import.meta.dirname, 'bare-server.ts'), {
    env: { PATH: process.env.PATH, BENCH_DATABASE_URL: site.urls.appUrl },
  });
  const [port] = (await once(child, 'message')) as [number];
  return {
    port,
    close: async () => {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
