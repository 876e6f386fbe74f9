import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Config } from '#platform/config.ts';
import { testDatabase } from '../../test/database.ts';
import { addKnownProviders, providerOf } from './provider-settings.ts';
import { providers } from './providers/registry.ts';
import { documentedOf } from './providers/vectors.ts';
import { readProviderRows } from './queries.ts';

/** The first rows of providers. */
const { database } = await testDatabase({ after });
const config = { mode: 'live', publicUrl: 'https://rewards.example' } as Config;

test('adds every known provider in live mode, disabled, with its published addresses', async () => {
  await addKnownProviders({ database, config });
  const rows = new Map((await readProviderRows(database)).map((row) => [row.id, providerOf(config, row)]));
  assert.deepEqual([...rows.keys()].sort(), [...providers.keys()].sort());
  for (const adapter of providers.values()) {
    const row = rows.get(adapter.id);
    assert.deepEqual(
      [row?.name, row?.type, row?.isEnabled, row?.secret, row?.apiKey],
      [adapter.name, adapter.kind, false, '', ''],
    );
    assert.deepEqual(row?.settings.sourceAddresses, adapter.publishedSourceAddresses);
    assert.equal(row?.settings.sourcePolicy, documentedOf(adapter.id).liveSourcePolicy, adapter.id);
    const { pathname, search } = new URL(row?.postbackUrl ?? '');
    assert.equal(pathname, `/api/webhooks/postback/${adapter.id}`);
    assert.equal(search !== '', adapter.queryTemplate !== '', adapter.id);
  }
});

test('adds no row twice in sandbox mode, and keeps existing rows', async () => {
  await addKnownProviders({ database, config: { ...config, mode: 'sandbox' } });
  const rows = await readProviderRows(database);
  assert.equal(rows.length, providers.size);
  assert.equal(rows.find(({ id }) => id === 'wannads')?.settings.sourcePolicy, 'hold');
});
