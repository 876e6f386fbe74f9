import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { changeProvider } from '#contract/earning-providers.ts';
import type { Config } from '#platform/config.ts';
import { sql } from '#platform/database.ts';
import { InvalidRequest } from '#platform/http/problem.ts';
import type { Platform } from '#platform/platform.ts';
import { testDatabase } from '../../test/database.ts';
import { addKnownProviders, changeProviderSettings } from './provider-settings.ts';

/** The addresses of walls, whose origins stand in the content policy. */
const { database, owner } = await testDatabase({ after });
const isAccepted = (url: string) => changeProvider.body.safeParse({ url }).success;

describe('the address of a wall', () => {
  const right = [
    'https://wall.example',
    'https://wall.example/',
    'https://a-b.wall.example:8443/v1/wall.php',
  ];
  const wrong = [
    'https://wall.example;script-src',
    'https://wall.example,https://evil.example',
    'https://*.example/',
    'https://*',
    'https://wall.example/a;b',
    'https://wall.example/a,b',
    'https://wall.example/ *',
    "https://wall.example' 'unsafe-inline'",
    'https://user:password@wall.example/',
    'https://wall.example/?user=1',
    'https://wall.example/#part',
    'https://WALL.example/',
    'https://wall..example/',
    'https://wall.example:99999/',
    'http://wall.example/',
    'http://127.0.0.1.example/',
    'javascript:alert(1)',
    'data:text/html,x',
    '//wall.example/',
  ];
  it('is an https origin with a path', () => {
    for (const url of right) assert.ok(isAccepted(url), url);
    for (const url of wrong) assert.ok(!isAccepted(url), url);
  });
  it('is plain http only on the sandbox’s own machine', async () => {
    for (const url of ['http://localhost:3001/sandbox/wall/cpx', 'http://127.0.0.1:3001/']) {
      assert.ok(isAccepted(url), url);
      const live = { config: { mode: 'live' } } as Platform;
      await assert.rejects(changeProviderSettings(live, 'cpx', { url }), InvalidRequest);
    }
  });
  it('is stored in no other form', async () => {
    await addKnownProviders({ database, config: { mode: 'live' } as Config });
    const store = (url: string) =>
      owner.rows(sql`update earning.providers set url = ${url} where id = 'cpx'`);
    for (const url of ['https://wall.example;x', 'https://*.example/', 'https://wall.example/a,b', 'data:,'])
      await assert.rejects(store(url), /providers_url_check/, url);
    for (const url of right) await store(url);
  });
});
