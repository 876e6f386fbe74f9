import { AsyncResource } from 'node:async_hooks';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { after, mock, run } from 'node:test';
import { spec, type TestEvent } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';
import { failureText } from './failure-text.ts';
import type { FileLine, FileOrder } from './file-lines.ts';
import { processorSeconds } from './processor-seconds.ts';

/**
 * A process of a run (`run-files.ts`): runs one test file after the other, as they are sent to it. To load the modules
 * of a file takes longer than most of its tests, so the files of a process share them, and with them the connection to
 * the test cluster and a Chromium. Each file finds the environment as the process found it, and no mock.
 */
const environment = { ...process.env };
/** Each run adds listeners to these, and none takes them back. */
const runEvents = ['uncaughtException', 'unhandledRejection', 'beforeExit', 'SIGINT', 'SIGTERM'] as const;

function restoreProcess(): void {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
  for (const event of runEvents) process.removeAllListeners(event);
  process.exitCode = 0;
  mock.reset();
  mock.timers.reset();
}

const send = (it: FileLine): void => void process.send?.(it);

/** Says that a test is run now, or is no more. */
function sendProgress({ type, data }: TestEvent): void {
  if (type === 'test:dequeue' && data.type !== 'suite') send({ began: data.name });
  else if (type === 'test:complete') send({ ended: data.name });
}

/** Says the result of a test of the file at `path`. True if it failed. */
function sendResult({ type, data }: TestEvent, path: string): boolean {
  if ((type !== 'test:pass' && type !== 'test:fail') || data.details.type === 'suite') return false;
  if (type === 'test:fail') {
    const { error } = data.details;
    send({ failed: failureText(data.name, error.cause ?? error.message) });
    return true;
  }
  // The run makes a test of this name for a file without one.
  if (data.name === path) return false;
  send(data.skip !== undefined || data.todo !== undefined ? { skipped: data.name } : { passed: data.name });
  return false;
}

async function reportOf(events: TestEvent[]): Promise<string> {
  let report = '';
  for await (const text of Readable.from(events).compose(new spec())) report += text;
  return report;
}

/**
 * Runs the tests of a file in this process, then what it asked for at their end. Sends the result of each test, and
 * gives all that they said, and whether one failed.
 */
async function runTests(path: string, skippedWord: string | undefined) {
  const events: TestEvent[] = [];
  let isFailed = false;
  const stream = run({ files: [path], isolation: 'none', testSkipPatterns: skippedWord });
  // A run ends at this event. The process itself has none, because its channel and its browser stay open.
  const endRun = () => void setImmediate(() => process.emit('beforeExit', 0));
  // Hooks run in their order, so the last one is added when all others are known, and outside of a hook.
  const addLastHook = AsyncResource.bind(() => after(endRun));
  after(() => addLastHook());
  for await (const event of stream) {
    events.push(event);
    sendProgress(event);
    if (sendResult(event, path)) isFailed = true;
    // No hook runs after one that failed.
    if (event.type === 'test:fail' && failureTypeOf(event.data) === 'hookFailed') endRun();
  }
  return { events, isFailed };
}

const failureTypeOf = ({ details }: TestEvent['data'] & { details: { error?: Error } }): unknown =>
  (details.error as { failureType?: unknown } | undefined)?.failureType;

/** A fault of a file that is loaded after it has named a test: the run does not say it. */
async function loadFault(path: string): Promise<string | undefined> {
  try {
    await import(pathToFileURL(path).href);
    return undefined;
  } catch (error) {
    return failureText('is loaded', error);
  }
}

async function runFile({ file, skippedWord }: FileOrder): Promise<void> {
  const secondsBefore = processorSeconds();
  const path = resolve(file);
  const { events, isFailed } = await runTests(path, skippedWord);
  const fault = isFailed ? undefined : await loadFault(path);
  if (fault !== undefined) send({ failed: fault });
  restoreProcess();
  const report = isFailed ? await reportOf(events) : '';
  send({
    report,
    processorSeconds: processorSeconds() - secondsBefore,
    memoryBytes: process.memoryUsage.rss(),
  });
}

process.on('message', (order: FileOrder) => void runFile(order));
// What the files left open would keep the process alive.
process.on('disconnect', () => process.exit());
