import { z } from 'zod';
import { MASKED } from '#platform/secrets.ts';
import type { RailDefinition } from './rail.ts';

/** All rails, one folder a line, in the order that members and operators see. */
const folders = [
  await import('./litecoin/rail.ts'),
  await import('./dash/rail.ts'),
  await import('./paypal/rail.ts'),
  await import('./nowpayments/rail.ts'),
];

export const rails: readonly RailDefinition[] = folders.map(({ rail }) => rail);

/** The rail of this id; an id may come from a request. */
export const findDefinition = (id: string): RailDefinition | undefined =>
  rails.find((rail) => rail.id === id);

/** The OpenAPI document shows the shapes of all rails, each under the rail's name. */
export const recipientShape = z.union(
  rails.flatMap(({ name, destination }) => (destination ? [destination.shape.meta({ title: name })] : [])),
);
export const credentialsShape = z.union(
  rails.map(({ name, account }) => account.credentials.meta({ title: name })),
);
export const shownCredentialsShape = z.union(rails.map(shownCredentialsOf));

/** The shape of a rail's credentials in replies. Secret ones are empty or masked. */
function shownCredentialsOf({ name, account }: RailDefinition) {
  const masked = z.enum(['', MASKED]);
  const fields = Object.entries(account.credentials.shape).map(([field, shape]) => [
    field,
    account.readable.includes(field) ? z.union([shape, masked]) : masked,
  ]);
  return z.strictObject(Object.fromEntries(fields)).partial().meta({ title: name });
}
