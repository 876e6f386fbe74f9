import { z } from 'zod';
import { connectionTest } from './connection.ts';
import { providerId } from './earning.ts';
import { endpoint } from './endpoint.ts';
import { optionalText, text, time } from './fields.ts';
import { operatorList } from './operator-list.ts';
import { settingsVersion } from './settings-version.ts';

/** Operators' settings of providers, and the test of a provider's connection. */

export const providerSettings = z.strictObject({
  /** Addresses and CIDR ranges that the provider calls from. Empty means any. */
  sourceAddresses: z.array(text(60)).max(100),
  /** The treatment of calls from other addresses. */
  sourcePolicy: z.enum(['record', 'hold', 'refuse']),
  /** If set, the postback URL ends with it and answers 404 without it. */
  pathToken: z
    .string()
    .regex(/^[A-Za-z0-9_-]{16,100}$/)
    .nullable()
    .optional(),
  /** How long the former secret verifies calls after a change; 24 if absent. 0 ends it at once. */
  formerSecretHours: z.number().int().min(0).max(168).optional(),
});

/** The parts of a postback that decide about money. */
export const signatureFields = ['member', 'amount', 'transaction', 'kind', 'payout'] as const;
export type SignatureField = (typeof signatureFields)[number];

/**
 * Whether a change of the part breaks the signature. `joined`: a change alone breaks it, but the signed text has no
 * separator to a neighbour.
 */
const coverage = z.enum(['signed', 'joined', 'unsigned']);

/** What the provider's adapter knows. */
const about = z.object({
  /** The provider's own names of the public id and of the key. */
  apiKeyLabel: z.string(),
  secretLabel: z.string(),
  signatureCovers: z.record(z.enum(signatureFields), coverage),
  /** The addresses that the provider publishes. */
  publishedAddresses: z.array(z.string()),
});

export const provider = z.object({
  id: z.string(),
  name: z.string(),
  type: z.enum(['survey', 'offerwall']),
  url: z.string(),
  apiKey: z.string(),
  secret: z.string(),
  postbackUrl: z.string(),
  isEnabled: z.boolean(),
  settings: providerSettings,
  /** Until then calls with the former secret verify; null if there is none. */
  formerSecretUntil: time.nullable(),
  /** Null for a provider that this version does not know. */
  about: about.nullable(),
  version: settingsVersion,
});
export type Provider = z.infer<typeof provider>;

export const readProviders = operatorList({
  path: '/api/admin/providers',
  summary: 'All providers with their settings; secrets are masked',
  topic: 'settings',
  row: provider,
  csvRow: provider.omit({ formerSecretUntil: true, about: true, version: true }),
  sorts: ['name'],
  defaultSort: 'name',
  filters: {
    type: { kind: 'choice', choices: ['survey', 'offerwall'] },
  },
  searches: ['id', 'name'],
});

/**
 * The address of a provider's wall: an https origin with a path. The content policy names its origin, so the host has
 * no character that divides or widens a policy. Plain http is for the sandbox's own machine.
 */
const wallAddress = z
  .string()
  .max(500)
  .regex(
    /^(https:\/\/([a-z0-9-]+\.)*[a-z0-9-]+|http:\/\/(localhost|127\.0\.0\.1))(:\d{1,5})?(\/[\w.~%@:+/-]*)?$/,
    'Must be an https address: a host in lower case and a path, without a query',
  )
  .refine((address) => URL.canParse(address), 'Must be an address');

export const changeProvider = endpoint({
  method: 'PUT',
  path: '/api/admin/providers/:id',
  summary: 'Change some or all of a provider’s settings',
  access: 'operator',
  act: 'provider.change',
  refreshes: ['settings'],
  params: z.object({ id: providerId }),
  body: z.strictObject({
    id: providerId.optional(),
    name: text(100).optional(),
    type: z.enum(['survey', 'offerwall']).optional(),
    url: z.union([z.literal(''), wallAddress]).optional(),
    apiKey: optionalText(500).optional(),
    secret: optionalText(500).optional(),
    postbackUrl: optionalText(2000).optional(),
    isEnabled: z.boolean().optional(),
    settings: providerSettings.partial().optional(),
    /** The version that the operator saw. Settings that changed since are not changed. */
    version: settingsVersion.optional(),
  }),
  reply: provider,
  refusals: ['unknown-provider', 'settings-changed'],
});

export const testProvider = endpoint({
  method: 'POST',
  path: '/api/admin/providers/:id/test',
  summary: 'Test a provider’s settings, with these values or the stored ones; books nothing',
  access: 'operator',
  act: 'provider.test',
  params: z.object({ id: providerId }),
  body: z
    .strictObject({
      url: z.union([z.literal(''), wallAddress]).optional(),
      apiKey: optionalText(500).optional(),
      secret: optionalText(500).optional(),
    })
    .optional(),
  reply: connectionTest,
  refusals: ['unknown-provider'],
});
