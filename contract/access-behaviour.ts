import { z } from 'zod';
import { endpoint, nothing } from './endpoint.ts';
import { atMost, CONTROL_FAULT, HALF_FAULT, hasNoControl, isWhole, optionalText, text } from './fields.ts';

/** Reports of mouse, keyboard and page events. */

/** Bounds of a report. `metadataLength` is in characters of JSON. */
export const behaviourLimits = { entries: 50, metadataFields: 20, metadataLength: 1_000 } as const;

/** The name of an act, in a few words: no sentence and no typed text. */
const action = text(100).pipe(z.string().regex(/^[A-Za-z][\w .:/-]*$/, 'Must be the name of an act'));

/** Names of fields that would hold the pressed key or the typed text, which no report may have. */
const keyField = /^(key|code|value|keycode|charcode|which)$/i;

/** The names of the fields, and the values that are texts. */
const textsOf = (fields: Record<string, unknown>): string[] =>
  Object.entries(fields)
    .flat()
    .filter((part) => typeof part === 'string');

const metadata = atMost(
  behaviourLimits.metadataFields,
  z.record(
    z.string().min(1).max(40),
    z.union([z.string().max(200), z.number(), z.boolean(), z.null()], 'Only text, numbers, true and false'),
  ),
)
  .refine(
    (fields) => !Object.keys(fields).some((name) => keyField.test(name)),
    'Must not tell what was typed',
  )
  .refine((fields) => JSON.stringify(fields).length <= behaviourLimits.metadataLength, 'Too long')
  .refine((fields) => textsOf(fields).every(isWhole), HALF_FAULT)
  .refine((fields) => textsOf(fields).every(hasNoControl), CONTROL_FAULT);

export const behaviourEntry = z.strictObject({
  action,
  target: optionalText(200).nullable().optional(),
  metadata: metadata.nullable().optional(),
  sessionId: optionalText(100).nullable().optional(),
});

export type BehaviourEntry = z.infer<typeof behaviourEntry>;

export const logBehaviour = endpoint({
  method: 'POST',
  path: '/api/behavior/log',
  summary: 'Report mouse, keyboard and page events: one entry or up to 50',
  access: 'member',
  body: atMost(
    behaviourLimits.entries,
    z.union([behaviourEntry, z.array(behaviourEntry).min(1).max(behaviourLimits.entries)]),
  ),
  bodyBytesMax: 256 * 1024,
  status: 204,
  reply: nothing,
});

export const trackBehaviour = endpoint({
  method: 'POST',
  path: '/api/security/track-behavior',
  summary: 'Report one security-relevant act, such as a sign-in',
  access: 'member',
  body: z.strictObject({ action }),
  status: 204,
  reply: nothing,
});
