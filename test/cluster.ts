import { holdTestCluster, stopTestCluster } from './database.ts';

/** Starts or stops the test cluster, for a run whose cluster has other variables than its own process (`calendar.ts`). */
await (process.argv[2] === 'stop' ? stopTestCluster() : holdTestCluster(false));
process.exit();
