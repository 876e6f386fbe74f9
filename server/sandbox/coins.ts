import { type Config, ConfigFault } from '#platform/config.ts';
import { chainsFolderOf } from '#platform/data-folders.ts';
import { type Database, type Reader, sql } from '#platform/database.ts';
import type { Log } from '#platform/log.ts';
import type { Platform } from '#platform/platform.ts';
import { readOrMakeSecret } from '#platform/secret-files.ts';
import { changePaymentMethod, readPaymentMethods, setUpRail } from '../withdrawals/payment-methods.ts';
import { rails } from '../withdrawals/rails/registry.ts';
import { type ChainEntry, type CoinNode, coinNode, listenCoinNode } from './coin-node.ts';
import { coins } from './coin-registry.ts';
import { doOnce } from './tables.ts';

/**
 * Runs the sandbox's coin nodes, each on a local port, and stores the site's credentials for them. A node keeps its
 * port across starts if it is free. Credentials that an operator changed are kept. Of several processes on one
 * database the first one's wallets pay, as long as they answer.
 */
const HOST = '127.0.0.1';
const USER = 'sandbox';

type Running = {
  coin: string;
  node: CoinNode;
  port: number;
  portBefore: number | null;
  close: () => Promise<void>;
};

export type Coins = {
  /** All payments to addresses outside the wallets, oldest first for each coin. */
  chain: () => ChainEntry[];
  prepare: (platform: Platform) => Promise<void>;
  close: () => Promise<void>;
};

export async function startCoins(config: Config, database: Database, log: Log): Promise<Coins> {
  const password = readOrMakeSecret(config.dataDir, 'sandbox-coin-node');
  const running: Running[] = [];
  for (const { id: coin, networkOf } of coins) {
    const network = networkOf(config);
    const directory = chainsFolderOf(config.dataDir);
    const node = coinNode({ coin, network, user: USER, password, directory, log });
    const portBefore = await readPort(database, coin);
    const listener = await listenPreferably(node, portBefore ?? 0);
    running.push({ coin, node, portBefore, ...listener });
  }
  return {
    chain: () => running.flatMap(({ node }) => node.chain()),
    prepare: async (platform) => {
      if (!config.rpcAllowedHosts.includes(HOST)) return;
      await prepareMethods(platform, running, password);
    },
    close: async () => {
      for (const { node, close } of running) {
        node.close();
        await close();
      }
    },
  };
}

async function listenPreferably(node: CoinNode, port: number): ReturnType<typeof listenCoinNode> {
  try {
    return await listenCoinNode(node, port);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    if (port === 0) throw new ConfigFault(['SANDBOX_PORT: this machine has no free port for the coin nodes']);
    return listenCoinNode(node, 0);
  }
}

/**
 * Enables all methods that members can choose and that can pay, at the first start. Later updates a coin's port if an
 * operator did not change its credentials.
 */
async function prepareMethods(
  platform: Platform,
  running: readonly Running[],
  password: string,
): Promise<void> {
  const credentialsOf = ({ port }: Running) => ({
    rpcHost: HOST,
    rpcPort: port,
    rpcUser: USER,
    rpcPassword: password,
  });
  await doOnce(platform.database, 'payment methods', async () => {
    for (const one of running)
      await changePaymentMethod(platform, one.coin, { credentials: credentialsOf(one) });
    for (const { id, destination, connect } of rails)
      if (destination !== null && connect !== null)
        await changePaymentMethod(platform, id, { isEnabled: true });
  });
  const methods = await readPaymentMethods(platform);
  for (const one of running) {
    if (one.port === one.portBefore) continue;
    const set = methods.find(({ method }) => method === one.coin)?.credentials;
    const isOurs = set?.rpcHost === HOST && set.rpcPort === one.portBefore;
    if (isOurs && (await isAnswering(platform, one.coin)) && !(await isCopy(platform, one, password)))
      continue;
    if (isOurs) await changePaymentMethod(platform, one.coin, { credentials: credentialsOf(one) });
    await savePort(platform.database, one.coin, one.port);
  }
}

/**
 * Whether the node at the former port takes our own password: then a copy of this folder runs it, for another site. One
 * that ends meanwhile is nobody's.
 */
async function isCopy({ log }: Platform, { portBefore }: Running, password: string): Promise<boolean> {
  try {
    const { status } = await fetch(`http://${HOST}:${portBefore}`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${USER}:${password}`).toString('base64')}` },
      body: JSON.stringify({ method: 'getblockchaininfo', params: [] }),
      signal: AbortSignal.timeout(2_000),
    });
    return status !== 401;
  } catch (error) {
    log.info({ error }, 'the coin node of another sandbox ended');
    return true;
  }
}

/** Whether another process runs the coin node that the method pays from. */
async function isAnswering(platform: Platform, coin: string): Promise<boolean> {
  const setup = await setUpRail(platform, coin);
  return setup.kind === 'usable' && (await setup.rail.check()).kind !== 'unavailable';
}

const readPort = async (reader: Reader, coin: string): Promise<number | null> =>
  (await reader.row<{ port: number }>(sql`select port from sandbox.coin_nodes where coin = ${coin}`))?.port ??
  null;

const savePort = (reader: Reader, coin: string, port: number) =>
  reader.rows(sql`
    insert into sandbox.coin_nodes (coin, port) values (${coin}, ${port})
    on conflict (coin) do update set port = excluded.port`);
