import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { CONTROL_FAULT, isLine, text, time } from './fields.ts';

/** The coin flip: a game of even odds whose draws the member can verify. */

export const BET_POINTS_MIN = 1;
export const BET_POINTS_MAX = 500;

export const sides = ['heads', 'tails'] as const;
export const side = z.enum(sides);
export type Side = z.infer<typeof side>;

/** Whole points within the limits. Another number gives `invalid-bet`; another type gives `invalid-request`. */
const betAmount = z
  .number()
  .refine((bet) => Number.isInteger(bet) && bet >= BET_POINTS_MIN && bet <= BET_POINTS_MAX, {
    message: 'Bet amount must be between 1 and 500 points',
    params: { refusal: 'invalid-bet' },
  })
  .meta({ type: 'integer', minimum: BET_POINTS_MIN, maximum: BET_POINTS_MAX });

/** The seeds of the next game. The server seed is secret until it is replaced. */
export const nextFairness = z.object({
  serverSeedHash: z.string(),
  clientSeed: z.string(),
  nonce: z.number(),
});
export type NextFairness = z.infer<typeof nextFairness>;

/** The seeds of a game. The server seed is null until it is replaced. */
export const fairness = nextFairness.extend({ serverSeed: z.string().nullable() });

export const playCoinFlip = endpoint({
  method: 'POST',
  path: '/api/coin-flip',
  summary: 'Flip a coin for 1 to 500 points; a win pays double',
  access: 'member',
  refreshes: ['balance', 'history', 'flips'],
  acceptsCachedSession: true,
  idempotent: true,
  body: z.strictObject({ betAmount, playerChoice: side }),
  reply: z.object({
    id: z.string(),
    result: side,
    isWin: z.boolean(),
    winAmount: z.number(),
    betAmount: z.number(),
    fairness,
  }),
  refusals: [
    'invalid-bet',
    'earnings-suspended',
    'account-suspended',
    'daily-limit-reached',
    'insufficient-balance',
    'idempotency-mismatch',
    'in-progress',
  ],
});

export const readFlipStatus = endpoint({
  method: 'GET',
  path: '/api/coin-flip/daily-status',
  summary: 'The daily limit of games, and what is left of it',
  access: 'member',
  reply: z.object({
    canPlay: z.boolean(),
    gamesPlayedToday: z.number(),
    maxGamesPerDay: z.number(),
    remainingGames: z.number(),
  }),
});
export type FlipStatus = z.infer<typeof readFlipStatus.reply>;

export const flipGame = z.object({
  id: z.string(),
  playerChoice: side,
  result: side,
  isWin: z.boolean(),
  winAmount: z.number(),
  betAmount: z.number(),
  createdAt: time,
  fairness,
});
export type FlipGame = z.infer<typeof flipGame>;

export const readFlipHistory = endpoint({
  method: 'GET',
  path: '/api/coin-flip/history',
  summary: 'The member’s newest 50 games, each with its seeds',
  access: 'member',
  topic: 'flips',
  reply: z.array(flipGame),
});

export const readFairness = endpoint({
  method: 'GET',
  path: '/api/coin-flip/fairness',
  summary: 'The seeds of the member’s next game; the server seed as a hash',
  access: 'member',
  topic: 'flips',
  reply: nextFairness,
});

/** Text that every program encodes to the same bytes: no control characters, no lone surrogates. */
export const clientSeed = text(64).refine(isLine, CONTROL_FAULT);

export const rotateFairness = endpoint({
  method: 'POST',
  path: '/api/coin-flip/fairness',
  summary: 'Replace the server seed, reveal the former one, and set the client seed if one is given',
  access: 'member',
  refreshes: ['flips'],
  body: z.strictObject({ clientSeed: clientSeed.optional() }).optional(),
  reply: nextFairness.extend({
    revealed: z.object({ serverSeed: z.string(), serverSeedHash: z.string() }),
  }),
});
