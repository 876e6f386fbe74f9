import { startCoinParty } from '../../../../test/coin-party.ts';
import type { RailVectors } from '../vectors.ts';
import { simulation } from './simulation.ts';

const segwit = 'rltc1qw508d6qejxtdg4y5r3zarvary0c5xw7k693xs3';
const hashed = 'mrCDrCybB6J1vRfbwM5hemdJz73FwDBC8r';

export const vectors: RailVectors = {
  right: [
    { given: { address: segwit }, canonical: segwit },
    { given: { address: segwit.toUpperCase() }, canonical: segwit },
    { given: { address: hashed }, canonical: hashed },
  ],
  wrong: [
    { address: '' },
    { address: 'rltc1qw508d6qejxtdg4y5r3zarvary0c5xw7k693xs4' },
    { address: 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9' },
    { address: '2N3vVYSK5XRgVSGWy21PnsRmBUywSQNdCsf' },
    { address: 'yWziQMcwmKjRdzi7eWjwiQX8EjWcd6dSg6' },
  ],
  credentials: { rpcHost: '127.0.0.1', rpcPort: 1, rpcUser: 'canary-user', rpcPassword: 'canary-password' },
  start: startCoinParty('litecoin', simulation),
};
