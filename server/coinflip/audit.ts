import { type BooksCheck, byMembers } from '../ledger/ledger.ts';
import { readGameDifferences, readPlayerDifferences, readPlayersEnd } from './audit-queries.ts';

/**
 * The audit of games: each has its stake and, if it was won, its prize; each result is the draw of its seed; counters
 * and nonces have no gap.
 */
export const coinflipChecks: readonly BooksCheck[] = [
  byMembers('games', readPlayersEnd, readGameDifferences),
  byMembers('players', readPlayersEnd, readPlayerDifferences),
];
