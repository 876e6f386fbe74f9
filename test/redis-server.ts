import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.ts';

/** A real Redis server on a free port, which a test can end, freeze and start again. */
type Lifetime = { after: (callback: () => Promise<void>) => void };

export type RedisServer = {
  url: string;
  start(): Promise<void>;
  /** Ends it at once, as `kill -9` does. */
  kill(): Promise<void>;
  /** Stops the process while its connections stay open. */
  freeze(): void;
  thaw(): void;
};

const program = '/usr/bin/redis-server';

/** Why tests that need Redis are left out, or false if they run. With CI set they must run. */
export const withoutRedis =
  !existsSync(program) && process.env.CI === undefined ? 'redis-server is not installed' : false;

/** A server that does not run yet. */
export async function redisServer(lifetime: Lifetime): Promise<RedisServer> {
  const port = await freePort();
  let child: ChildProcess | undefined;
  const kill = async () => {
    if (child === undefined) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    child = undefined;
    await ended;
  };
  lifetime.after(kill);
  return {
    url: `redis://127.0.0.1:${port}`,
    start: async () => {
      const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
      // Redis and the library of faketime break each other's start.
      const env = { ...process.env, LD_PRELOAD: undefined };
      child = spawn(program, options, { stdio: 'ignore', env });
      while (!(await isListening(port))) await sleep(10);
    },
    kill,
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
  };
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') return false;
    throw error;
  } finally {
    socket.destroy();
  }
}
