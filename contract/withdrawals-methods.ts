import { z } from 'zod';
import { connectionTest } from './connection.ts';
import { endpoint } from './endpoint.ts';
import { atMost, optionalText, whenNoRecord } from './fields.ts';
import { operatorList } from './operator-list.ts';
import { settingsVersion } from './settings-version.ts';
import { method } from './withdrawals.ts';

/** Operators' settings of payment methods, and the test of a method's account. */

const limits = z.strictObject({
  minimumAmount: z.number().int().min(0).max(1_000_000_000),
  maximumAmount: z.number().int().min(0).max(1_000_000_000),
  processingFee: z.number().int().min(0).max(1_000_000_000),
});

/** In the shape of the method's rail, by field name. */
const credentials = z.record(
  z.string().regex(/^[a-zA-Z]{1,40}$/),
  z.union([optionalText(4_000), z.number(), z.boolean()]),
  whenNoRecord,
);

export const paymentMethod = z.object({
  /** The method again, as every list names its rows. */
  id: z.string(),
  method: z.string(),
  name: z.string(),
  isEnabled: z.boolean(),
  credentials,
  /** The names of the credentials that are never shown. */
  secretNames: z.array(z.string()),
  /** The names of the credentials that say where the secrets are sent. Who changes one gives each secret again. */
  endpointNames: z.array(z.string()),
  settings: limits,
  version: settingsVersion,
});
export type PaymentMethod = z.infer<typeof paymentMethod>;

export const readPaymentMethods = operatorList({
  path: '/api/admin/payment-methods',
  summary: 'All payment methods with their limits; secrets are masked',
  topic: 'settings',
  row: paymentMethod,
  csvRow: paymentMethod.omit({ id: true, secretNames: true, endpointNames: true, version: true }),
  sorts: ['position', 'name'],
  defaultSort: 'position',
  filters: {},
  searches: ['method', 'name'],
});

export const changePaymentMethod = endpoint({
  method: 'PUT',
  path: '/api/admin/payment-methods/:method',
  summary: 'Change some or all of a payment method’s settings',
  access: 'operator',
  act: 'payment-method.change',
  refreshes: ['settings'],
  params: z.object({ method }),
  body: z.strictObject({
    method: z.string().optional(),
    isEnabled: z.boolean().optional(),
    credentials: atMost(20, credentials).optional(),
    settings: limits.partial().optional(),
    /** The version that the operator saw. Settings that changed since are not changed. */
    version: settingsVersion.optional(),
  }),
  reply: paymentMethod,
  refusals: ['not-found', 'settings-changed'],
});

export const testPaymentMethod = endpoint({
  method: 'POST',
  path: '/api/admin/payment-methods/:method/test',
  summary:
    'Test the connection to a method’s account, with these credentials or the stored ones; pays nothing',
  access: 'operator',
  act: 'payment-method.test',
  params: z.object({ method }),
  body: z.strictObject({ credentials: atMost(20, credentials).optional() }).optional(),
  reply: connectionTest,
  refusals: ['not-found'],
});
