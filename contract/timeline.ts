import { z } from 'zod';
import { points, time } from './fields.ts';
import { movementKinds } from './movement-kinds.ts';

/** The timeline of a member: what happened, from the rows of every feature, newest first. */

export const timelineParts = ['money', 'access', 'decisions', 'support'] as const;
export type TimelinePart = (typeof timelineParts)[number];

/** What a line is about. */
export const timelineKinds = [
  ...movementKinds,
  'withdrawal-approved',
  'withdrawal-rejected',
  'withdrawal-paid',
  'earning-held',
  'earning-rejected',
  'login',
  'new-device',
  'security',
  'suspended',
  'lifted',
  'ticket',
  'act',
  'joined',
  'deleted',
] as const;
export type TimelineKind = (typeof timelineKinds)[number];

export const timelineLine = z.object({
  /** Unique within the timeline. */
  id: z.string(),
  at: time,
  kind: z.enum(timelineKinds),
  /** An English sentence. The web makes its own from `kind` and `facts`. */
  text: z.string(),
  /** The path of the screen that shows the thing; null if there is none. */
  link: z.string().nullable(),
  /** Of a movement. */
  amount: points.nullable(),
  /** The balance after a movement, negative while in debt. */
  balanceAfter: points.nullable(),
  facts: z.record(z.string(), z.string().nullable()),
  /** On the last line if older ones may follow: the value of `before` for the next page. */
  next: z.string().nullable(),
});
export type TimelineLine = z.infer<typeof timelineLine>;
