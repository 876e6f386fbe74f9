import { startCoinParty } from '../../../../test/coin-party.ts';
import type { RailVectors } from '../vectors.ts';
import { simulation } from './simulation.ts';

const hashed = 'yWziQMcwmKjRdzi7eWjwiQX8EjWcd6dSg6';

export const vectors: RailVectors = {
  right: [{ given: { address: hashed }, canonical: hashed }],
  wrong: [
    { address: '' },
    { address: 'XmN7PQYWKn5MJFna5fRYgP6mxT2F7xpekE' },
    { address: 'rltc1qw508d6qejxtdg4y5r3zarvary0c5xw7k693xs3' },
    { address: hashed.toUpperCase() },
  ],
  credentials: { rpcHost: '127.0.0.1', rpcPort: 1, rpcUser: 'canary-user', rpcPassword: 'canary-password' },
  start: startCoinParty('dash', simulation),
};
