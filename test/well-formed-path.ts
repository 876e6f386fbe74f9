import assert from 'node:assert/strict';
import type { z } from 'zod';
import type { Endpoint } from '#contract/endpoint.ts';

/** Values of parameters by name, where a value of the right shape would name nothing that is registered. */
const known: Record<string, string> = {
  method: 'litecoin',
  currency: 'litecoin',
  provider: 'cpx',
  action: 'withdrawal.reject',
};

/** One value of each shape of id. The first that fits is taken; only `cpx` exists. */
const ofEachShape = [
  '987654321',
  '00000000-0000-4000-8000-000000000000',
  '100000001.1',
  'cpx',
  'suspension-987654321',
  '0'.repeat(64),
  'shared-device',
];

function fittingValue(name: string, schema: z.ZodType | undefined): string {
  const value = known[name] ?? ofEachShape.find((one) => schema?.safeParse(one).success);
  assert.ok(value, `no value fits ${name}`);
  return value;
}

/**
 * The path of an endpoint with parameters of the right shape, which name an existing provider or nothing, and with the
 * query that it needs.
 */
export function wellFormedPath({ path, params, query }: Pick<Endpoint, 'path' | 'params' | 'query'>): string {
  const { shape } = params as z.ZodObject;
  const asked = Object.entries((query as z.ZodObject).shape as Record<string, z.ZodType>)
    .filter(([, schema]) => !schema.safeParse(undefined).success)
    .map(([name, schema]) => `${name}=${fittingValue(name, schema)}`);
  const called = path.replaceAll(/:(\w+)/g, (_, name: string) =>
    fittingValue(name, shape[name] as z.ZodType),
  );
  return asked.length === 0 ? called : `${called}?${asked.join('&')}`;
}
