/** For `node --test --test-global-setup=test/global-setup.ts`: one PostgreSQL from the first file to the last. */
import { holdTestCluster, stopTestCluster } from './database.ts';

export async function globalSetup(): Promise<void> {
  await holdTestCluster();
}

export async function globalTeardown(): Promise<void> {
  await stopTestCluster();
}
