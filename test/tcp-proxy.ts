import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP proxy before a server, whose connections can be made to swallow everything, as a cut cable does. */
type Lifetime = { after: (callback: () => Promise<void>) => void };

export type TcpProxy = {
  port: number;
  /** From now on nothing passes, and neither side learns that the other has gone. */
  freeze: () => void;
  /** From now on nothing passes on the open connections. New ones work. */
  freezeOpen: () => void;
};

export async function startTcpProxy(lifetime: Lifetime, host: string, port: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const frozen = new WeakSet<Socket>();
  let isEveryFrozen = false;
  const proxy = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ host, port, allowHalfOpen: true });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      const passes = () => !isEveryFrozen && !frozen.has(from);
      from.on('data', (bytes: Buffer) => void (passes() && to.write(bytes)));
      from.on('end', () => void (passes() && to.end()));
      // A reset connection of a killed process is what the test is about.
      from.on('error', () => void (passes() && to.destroy()));
    }
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  lifetime.after(async () => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });
  return {
    port: (proxy.address() as AddressInfo).port,
    freeze: () => {
      isEveryFrozen = true;
    },
    freezeOpen: () => {
      for (const socket of sockets) frozen.add(socket);
    },
  };
}
