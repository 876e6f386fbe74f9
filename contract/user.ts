import { z } from 'zod';
import { time } from './fields.ts';

/** The signed-in user. */

export const user = z.object({
  id: z.string(),
  firstName: z.string(),
  lastName: z.string().nullable(),
  email: z.string(),
  role: z.enum(['user', 'admin', 'banned']),
  profileImageUrl: z.string().nullable(),
  createdAt: time,
  referralCode: z.string(),
  chatTheme: z.string(),
  chatBubbleColor: z.string(),
  chatTextColor: z.string(),
  phoneVerified: z.boolean(),
  phoneNumber: z.string().nullable(),
});

export type User = z.infer<typeof user>;
