import { readdirSync, readFileSync } from 'node:fs';

/** proc_pid_stat(5) counts in hundredths of a second. */
const TICKS_PER_SECOND = 100;
/** Positions of ppid, and of utime, stime, cutime and cstime, behind the name of the program, which may have spaces. */
const PARENT = 1;
const TIMES = [11, 15] as const;

type Times = { parent: number; ticks: number };

/** The processor time of this process, of all that it has started and of what these waited for. */
export function processorSeconds(): number {
  if (process.platform !== 'linux') {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000_000;
  }
  const known = new Map<number, Times>();
  for (const name of readdirSync('/proc')) {
    const times = /^\d+$/.test(name) ? timesOf(name) : undefined;
    if (times !== undefined) known.set(Number(name), times);
  }
  const isOurs = (pid: number): boolean => {
    const parent = known.get(pid)?.parent ?? 0;
    return pid === process.pid || (parent > 1 && isOurs(parent));
  };
  const ticks = [...known].reduce((sum, [pid, times]) => sum + (isOurs(pid) ? times.ticks : 0), 0);
  return ticks / TICKS_PER_SECOND;
}

function timesOf(pid: string): Times | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number);
    return {
      parent: fields[PARENT] ?? 0,
      ticks: fields.slice(...TIMES).reduce((sum, field) => sum + field, 0),
    };
  } catch (error) {
    // It ended meanwhile.
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}
