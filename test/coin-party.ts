import { randomBytes } from 'node:crypto';
import { Address } from '@scure/btc-signer';
import type { CoinSimulation } from '../server/withdrawals/rails/coin/simulation.ts';
import type { RailVectors } from '../server/withdrawals/rails/vectors.ts';
import { startSandboxCoinNode } from './sandbox-coin-node.ts';

/** For tests: the sandbox's node of a coin with a funded wallet. */
export function startCoinParty(coin: string, { versions }: CoinSimulation): RailVectors['start'] {
  return async (t) => {
    const node = await startSandboxCoinNode(t, coin);
    const { host, port, user, password } = node.access;
    const codec = Address({ ...versions.regtest, wif: 0 });
    return {
      credentials: { rpcHost: host, rpcPort: port, rpcUser: user, rpcPassword: password },
      recipient: () => ({ address: codec.encode({ type: 'pkh', hash: randomBytes(20) }) }),
      settle: () => node.mine(1),
      paidTo: async (address) => (await node.outputsTo(address)).map(({ amountUnits }) => amountUnits),
      stop: node.kill,
    };
  };
}
