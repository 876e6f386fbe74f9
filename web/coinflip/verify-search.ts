import { textsOf } from '#web/client/search-params.ts';

/** A game by its id, or the seeds themselves, so that a link works for anyone. */
export type VerifySearch = Partial<
  Record<'game' | 'serverSeed' | 'serverSeedHash' | 'clientSeed' | 'nonce', string>
>;

export const verifySearchOf = (search: Record<string, unknown>): VerifySearch =>
  textsOf(['game', 'serverSeed', 'serverSeedHash', 'clientSeed', 'nonce'], search);
