import { z } from 'zod';
import { time } from './fields.ts';

/** A message of a channel, as calls answer it and `/ws` pushes it. */

export const MESSAGE_CHARACTERS_MAX = 2_000;

export const message = z.object({
  id: z.string(),
  channelId: z.string(),
  /** The place in its channel: 1, 2, 3 … without a gap. A reader that misses one fetches. */
  seq: z.number(),
  userId: z.string(),
  user: z.object({
    /** An operator's is the bot's name in the general channel, and `Admin` in a ticket's. */
    firstName: z.string(),
    chatBubbleColor: z.string(),
    chatTextColor: z.string(),
  }),
  message: z.string(),
  isFromAdmin: z.boolean(),
  createdAt: time,
  /** The name that the sender's browser gave it. */
  clientId: z.string().nullable(),
});
export type Message = z.infer<typeof message>;
