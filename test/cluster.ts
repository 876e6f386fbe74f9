import { holdTestCluster, stopTestCluster } from './database.ts';

/** Starts or stops a test cluster that has other variables than the process of the run (`calendar.ts`). */
await (process.argv[2] === 'stop' ? stopTestCluster() : holdTestCluster(false));
process.exit();
