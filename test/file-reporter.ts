import { readFileSync } from 'node:fs';
import type { TestEvent } from 'node:test/reporters';
import { failureText } from './failure-text.ts';

/**
 * A reporter of one test file's process: a line of JSON for each test that ended and, at the exit, one with the
 * processor time of the process and of all children that it waited for.
 */
export type FileLine =
  | { passed: string }
  | { failed: string }
  | { skipped: string }
  | { processorSeconds: number };

/** proc_pid_stat(5) counts in hundredths of a second. */
const TICKS_PER_SECOND = 100;
/** Positions of utime, stime, cutime and cstime behind the name of the program, which may contain spaces. */
const TIMES = [11, 15] as const;

function processorSeconds(): number {
  if (process.platform !== 'linux') {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000_000;
  }
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  const ticks = fields.slice(...TIMES).reduce((sum, field) => sum + Number(field), 0);
  return ticks / TICKS_PER_SECOND;
}

const line = (it: FileLine): string => `${JSON.stringify(it)}\n`;

export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    if (data.details.type === 'suite') continue;
    if (type === 'test:fail') {
      const { error } = data.details;
      yield line({ failed: failureText(data.name, error.cause ?? error.message) });
    } else if (data.skip !== undefined || data.todo !== undefined) yield line({ skipped: data.name });
    else yield line({ passed: data.name });
  }
  yield line({ processorSeconds: processorSeconds() });
}
