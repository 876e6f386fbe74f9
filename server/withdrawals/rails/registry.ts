import { z } from 'zod';
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

/** The shapes of all rails for the OpenAPI document, each under the rail's name. */
export const recipientShape = z.union(
  rails.flatMap(({ name, destination }) => (destination ? [destination.shape.meta({ title: name })] : [])),
);
export const credentialsShape = z.union(
  rails.map(({ name, account }) => account.credentials.meta({ title: name })),
);
