import { z } from 'zod';
import { actors } from './acts.ts';
import { time } from './fields.ts';

/** Who paused the payouts, when and why. */
export const pause = z.object({
  actor: z.enum(actors),
  /** Null if no operator did. */
  operatorId: z.string().nullable(),
  at: time,
  /** Null if none was given. */
  reason: z.string().nullable(),
});
export type Pause = z.infer<typeof pause>;
