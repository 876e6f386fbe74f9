import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP proxy before a server, whose connections can be made to swallow everything, as a cut cable does. */
type Lifetime = { after: (callback: () => Promise<void>) => void };

export type TcpProxy = {
  port: number;
  /** From now on nothing passes, also on new connections, and neither side learns that the other has gone. */
  freeze: () => void;
  /** The open connections swallow everything from now on. New ones pass. */
  freezeOpen: () => void;
  /** Ends all connections, and new ones at once, as after the end of the server. */
  refuse: () => void;
  /** New connections pass again. Those that swallowed bytes are of no use any more. */
  heal: () => void;
  /** New connections lead to another port, as after a restart of the server. */
  leadTo: (port: number) => void;
};

type Pair = { isFrozen: boolean; far: Socket };

export async function startTcpProxy(lifetime: Lifetime, host: string, port: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const pairs = new Set<Pair>();
  let isFrozen = false;
  let isRefusing = false;
  let farPort = port;
  const proxy = createServer({ allowHalfOpen: true }, (near) => {
    if (isRefusing) return void near.resetAndDestroy();
    const far = connect({ host, port: farPort, allowHalfOpen: true });
    const pair: Pair = { isFrozen, far };
    pairs.add(pair);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes: Buffer) => void (!pair.isFrozen && to.write(bytes)));
      from.on('end', () => void (!pair.isFrozen && to.end()));
      // A reset connection of a killed process is what the test is about.
      from.on('error', () => void (!pair.isFrozen && to.destroy()));
    }
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  lifetime.after(async () => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });
  /** The server's keepalive has found the connections of a former outage dead by now. Else it would run out of them. */
  const endFrozen = () => {
    for (const pair of pairs)
      if (pair.isFrozen) {
        pair.far.destroy();
        pairs.delete(pair);
      }
  };
  const freezeOpen = () => {
    for (const pair of pairs) pair.isFrozen = true;
  };
  return {
    port: (proxy.address() as AddressInfo).port,
    freeze: () => {
      if (!isFrozen) endFrozen();
      isFrozen = true;
      freezeOpen();
    },
    freezeOpen,
    refuse: () => {
      isRefusing = true;
      for (const socket of sockets) socket.destroy();
    },
    heal: () => {
      isFrozen = false;
      isRefusing = false;
    },
    leadTo: (newPort) => {
      farPort = newPort;
    },
  };
}

/** A proxy before the server of a database, and the database's URL through it. */
export async function startDatabaseProxy(
  lifetime: Lifetime,
  url: string,
): Promise<TcpProxy & { url: string }> {
  const { hostname, port } = new URL(url);
  const proxy = await startTcpProxy(lifetime, hostname, Number(port));
  const changed = new URL(url);
  changed.host = `127.0.0.1:${proxy.port}`;
  return { ...proxy, url: changed.href };
}
