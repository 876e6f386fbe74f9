import { createNode } from './node.ts';
import { ConfigFault } from './platform/config.ts';
import { createLog, printedBeside } from './platform/log.ts';

/**
 * The process of a node: starts it, and stops it at a signal. Standard output is for the person who starts the site;
 * the log goes to standard error. `log.ts` prints both, because they may be one file.
 */
const STOP_MS_MAX = 20_000;
/** The time for the embedded database after that. */
const DATABASE_STOP_MS_MAX = 5_000;
/** By sysexits(3): an internal fault. */
const FAILED = 70;

const log = createLog();
const { say, complain } = printedBeside(log);
const node = createNode({
  environment: process.env,
  log,
  onFailed: (reason) => {
    if (reason !== undefined) complain(reason);
    void stop(FAILED);
  },
});
let isStopping = false;

/** Stops the parts in reverse order and finishes running work. Exits after 25 seconds at the latest. */
async function stop(exitCode: number): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  setTimeout(() => void exitLate(exitCode === 0 ? 1 : exitCode), STOP_MS_MAX).unref();
  await node.close();
  process.exit(exitCode);
}

/** Ends the process while a part still runs. The embedded database would outlive it, so it is stopped first. */
async function exitLate(exitCode: number): Promise<void> {
  log.error('a part did not stop in its time');
  setTimeout(() => process.exit(exitCode), DATABASE_STOP_MS_MAX).unref();
  await node.stopDatabase();
  process.exit(exitCode);
}

process.on('SIGTERM', () => void stop(0));
process.on('SIGINT', () => void stop(0));
process.on('unhandledRejection', (error) => {
  log.fatal({ error }, 'unhandled rejection');
  void stop(FAILED);
});
process.on('uncaughtException', (error) => {
  log.fatal({ error }, 'uncaught exception');
  void stop(FAILED);
});
try {
  const { address, accounts, ownFolder } = await node.start();
  say(`Address: ${address}`);
  say(`Panel: ${address}/admin-login`);
  if (accounts !== undefined) {
    say(`Sandbox: ${address}/sandbox`);
    if (ownFolder !== undefined) say(`To begin anew: stop it and delete ${ownFolder}`);
    say(`Operator: ${accounts.operator.email} ${accounts.operator.password}`);
    say(`Member: ${accounts.member.email} ${accounts.member.password}`);
  }
} catch (error) {
  if (isStopping) log.info('stopped before it was ready');
  else if (error instanceof ConfigFault) for (const line of error.lines) complain(line);
  else log.fatal({ error }, 'the start failed');
  await stop(1);
}
