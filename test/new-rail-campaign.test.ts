import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { copyTree, type TestCounts } from './copied-tree.ts';

/** Adds a rail, as one folder and one line, to a copy of the project, and runs the suites for all rails. */
const copy = copyTree({ after });
copy.addFolder('test/new-rail/iou', 'server/withdrawals/rails/iou');
copy.addLine('server/withdrawals/rails/registry.ts', '];', "  await import('./iou/rail.ts'),");

const passes = ({ passed, failed, output }: TestCounts, passedMin: number) => {
  assert.equal(failed, 0, output);
  assert.ok(passed >= passedMin, `Only ${passed} tests passed`);
};

describe('a rail that is one folder and one line of the registry', () => {
  it('passes the suites for every rail, and pays a withdrawal', async () => {
    passes(await copy.test(['server/withdrawals/rails/every-rail.test.ts'], '^the rail iou'), 10);
  });

  it('passes the suites of methods, rates, decisions, the sandbox and the source tree', async () => {
    const suites = [
      'server/withdrawals/payment-methods.test.ts',
      'server/withdrawals/rates.test.ts',
      'server/withdrawals/decisions.test.ts',
      'server/withdrawals/routes.test.ts',
      'server/sandbox/routes.test.ts',
    ];
    passes(await copy.test(suites), 50);
    const text = ['tidy', 'imports-tidy', 'rails-tidy', 'providers-tidy'];
    passes(await copy.testText(text.map((name) => `test/${name}.test.ts`)), 20);
  });
});
