import { z } from 'zod';

/** What travels over `/ws`. The server only pushes; every write is an HTTP call. */

export const serverEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('auth_success') }),
  z.object({ type: z.literal('balance'), balance: z.string() }),
  z.object({ type: z.literal('ticket'), id: z.string() }),
  z.object({ type: z.literal('error'), code: z.string(), detail: z.string() }),
]);
export type ServerEvent = z.infer<typeof serverEvent>;

/** Types a client may send. `auth` is answered with `auth_success`; its other fields decide nothing. */
export const clientFrameTypes = ['auth', 'chat_message', 'user_typing', 'stop_typing'] as const;
