import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { after, describe, it } from 'node:test';
import { copyTree, type TestCounts } from './copied-tree.ts';
import { root } from './source-tree.ts';

/** A provider is one folder and one line: a new one in a copy of the project passes what tests all providers. */
const copy = copyTree({ after });
copy.addFolder('test/new-provider/acme', 'server/earning/providers/acme');
copy.addLine('server/earning/providers/registry.ts', '];', "  await import('./acme/adapter.ts'),");

const passes = ({ passed, failed, output }: TestCounts, passedMin: number) => {
  assert.equal(failed, 0, output);
  assert.ok(passed >= passedMin, `Only ${passed} tests passed`);
};

describe('a provider that is one folder and one line of the registry', () => {
  it('passes what is tested of every provider', async () => {
    const suites = [
      'server/earning/every-provider.test.ts',
      'server/earning/providers/signature-coverage.test.ts',
      'server/sandbox/walls.test.ts',
      'server/sandbox/wall-activity.test.ts',
    ];
    passes(await copy.test(suites, '^(acme|Acme Offers|every wall)'), 30);
  });

  it('passes what is tested of the registry, the settings, the catalogue and the tree', async () => {
    const suites = [
      'server/earning/providers/registry.test.ts',
      'server/earning/provider-settings.test.ts',
      'server/sandbox/demo-catalogue.test.ts',
      ...globSync('test/*tidy*.test.ts', { cwd: root }),
    ];
    passes(await copy.test(suites), 50);
  });
});
