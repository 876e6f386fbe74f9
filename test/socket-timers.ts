import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** The open TCP connections of a process as Linux shows them, with the timer that runs on each. */
export type TcpConnection = {
  localPort: number;
  remotePort: number;
  /** Undefined while another timer runs, or none. */
  keepAliveInMs: number | undefined;
};

/** The reason for leaving a test out, or false. */
export const skipWithoutSocketTimers =
  process.platform !== 'linux' && 'only Linux shows the timers of connections';

const ESTABLISHED = '01';
const LISTENING = '0A';
const KEEPALIVE_TIMER = '02';
/** The unit of the time until a timer fires. */
const TICK_MS = 10;

export function tcpConnectionsOf(pid: number): TcpConnection[] {
  return socketsOf(pid, ESTABLISHED).map(({ local, remote, timer }) => {
    const [kind, ticks = ''] = timer.split(':');
    const keepAliveInMs = kind === KEEPALIVE_TIMER ? Number.parseInt(ticks, 16) * TICK_MS : undefined;
    return { localPort: portOf(local), remotePort: portOf(remote), keepAliveInMs };
  });
}

/** The ports on which a process listens. */
export const listeningPortsOf = (pid: number): number[] =>
  socketsOf(pid, LISTENING).map(({ local }) => portOf(local));

function socketsOf(pid: number, wanted: string): { local: string; remote: string; timer: string }[] {
  const inodes = new Set(readdirSync(`/proc/${pid}/fd`).flatMap((fd) => inodeOf(pid, fd)));
  const lines = ['tcp', 'tcp6'].flatMap((kind) =>
    readFileSync(`/proc/${pid}/net/${kind}`, 'utf8').trim().split('\n').slice(1),
  );
  return lines.flatMap((line) => {
    const [, local = '', remote = '', state, , timer = '', , , , inode = ''] = line.trim().split(/\s+/);
    return state === wanted && inodes.has(inode) ? [{ local, remote, timer }] : [];
  });
}

const portOf = (address: string) => Number.parseInt(address.slice(address.lastIndexOf(':') + 1), 16);

function inodeOf(pid: number, fd: string): string[] {
  try {
    const [, inode] = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`)) ?? [];
    return inode === undefined ? [] : [inode];
  } catch (error) {
    // It was closed since the folder was read.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
