import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { after, describe, it } from 'node:test';
import { copyTree, type TestCounts } from './copied-tree.ts';
import { root } from './source-tree.ts';

/** Adds a provider, as one folder and one line, to a copy of the project, and runs the suites for all providers. */
const copy = copyTree({ after });
copy.addFolder('test/new-provider/acme', 'server/earning/providers/acme');
copy.addLine('server/earning/providers/registry.ts', '];', "  await import('./acme/adapter.ts'),");

const passes = ({ passed, failed, output }: TestCounts, passedMin: number) => {
  assert.equal(failed, 0, output);
  assert.ok(passed >= passedMin, `Only ${passed} tests passed`);
};

describe('a provider that is one folder and one line of the registry', () => {
  it('passes the suites for every provider', async () => {
    const suites = [
      'server/earning/every-provider.test.ts',
      'server/earning/providers/signature-coverage.test.ts',
      'server/sandbox/walls.test.ts',
      'server/sandbox/wall-activity.test.ts',
    ];
    passes(await copy.test(suites, '^(acme|Acme Offers|every wall)'), 30);
  });

  it('passes the suites of the registry, the settings, the catalogue and the source tree', async () => {
    const suites = [
      'server/earning/providers/registry.test.ts',
      'server/earning/provider-settings.test.ts',
      'server/sandbox/demo-catalogue.test.ts',
    ];
    passes(await copy.test(suites), 10);
    passes(await copy.testText(globSync('test/*tidy*.test.ts', { cwd: root })), 40);
  });
});
