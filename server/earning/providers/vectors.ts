import assert from 'node:assert/strict';
import type { ProviderAdapter, RawPostback } from './provider.ts';
import { findProvider, providers } from './registry.ts';
import type { Genuine, ProviderVectors } from './vector-shape.ts';

/**
 * For tests: the genuine postbacks of all registered providers, from their `<id>/vectors.ts`. They have the parameters
 * of the template and those that the company adds.
 */
export const publicOrigin = 'https://rewards.example';

/** The parts of a visit, without the member, that a wall's URL may contain. */
export const visit = { brand: 'Earnest', siteDay: '2026-01-02' };

const folders = await Promise.all(
  [...providers.keys()].map(async (id) => {
    const { vectors } = (await import(`./${id}/vectors.ts`)) as { vectors: ProviderVectors };
    return { id, vectors };
  }),
);

const documented = new Map(folders.map(({ id, vectors }) => [id, vectors.documented]));
const genuine = new Map(
  folders.flatMap(({ id, vectors }) =>
    Object.entries(vectors.forms).map(([form, calls]) => [form, { ...calls, provider: id }] as const),
  ),
);

/** All forms of all registered providers. */
export const forms: readonly string[] = [...genuine.keys()];

export function genuineOf(form: string): Genuine & { provider: string } {
  const calls = genuine.get(form);
  assert(calls !== undefined, `No provider sends the form ${form}`);
  return calls;
}

export function documentedOf(id: string): ProviderVectors['documented'] {
  const facts = documented.get(id);
  assert(facts !== undefined, `The provider ${id} has no vectors`);
  return facts;
}

/** The adapter of a form. */
export function adapterOf(form: string): ProviderAdapter {
  const adapter = findProvider(genuineOf(form).provider);
  assert(adapter !== undefined);
  return adapter;
}

/** Makes a signed call with the genuine parameters and these changes. A change to `undefined` omits the parameter. */
export function genuinePostback(
  form: string,
  changes: Readonly<Record<string, string | undefined>> = {},
  address = `${publicOrigin}/api/webhooks/postback/${genuineOf(form).provider}`,
  secret = genuineOf(form).secret,
): RawPostback {
  const { values, digest, isInHeader, digestOf } = genuineOf(form);
  const merged: Record<string, string | undefined> = { ...values, ...changes };
  const query = Object.keys(values)
    .filter((name) => merged[name] !== undefined)
    .map((name) => `${name}=${encodeURIComponent(merged[name] ?? '')}`)
    .join('&');
  const made = digestOf(address, query, secret);
  if (isInHeader) return received(`${address}?${query}`, { [digest]: made });
  return received(`${address}?${query}&${digest}=${made}`);
}

/** The parameters of a provider's template, in its order. */
export function templateNames(provider: string): string[] {
  const { queryTemplate } = adapterOf(provider);
  if (queryTemplate === '') return [];
  return queryTemplate.split('&').map((piece) => piece.slice(0, piece.indexOf('=')));
}

export function received(url: string, headers: RawPostback['headers'] = {}): RawPostback {
  return { method: 'GET', url, headers, rawBody: Buffer.alloc(0) };
}
