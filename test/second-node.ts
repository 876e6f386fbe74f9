import { createHealth } from '#platform/health.ts';
import { type App, createApp } from '../server/app.ts';
import { freePort } from './free-port.ts';
import { type Site, silentLog } from './site.ts';

/** Another node of a test's site, in this process, which listens on a free port until the end of `lifetime`. */
export async function secondNode(
  { config, database }: Pick<Site, 'config' | 'database'>,
  lifetime: { after: (callback: () => Promise<void>) => void },
): Promise<{ platform: App; address: string }> {
  const log = silentLog();
  const platform = await createApp({ config, database, log, health: createHealth(log) });
  const port = await freePort();
  await platform.app.listen({ host: '127.0.0.1', port });
  lifetime.after(() => platform.app.close());
  return { platform, address: `http://127.0.0.1:${port}` };
}
