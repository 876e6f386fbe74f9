import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { moduleOf } from './first-screen.ts';

describe('the file of a screen', () => {
  const path = '/earn';

  it('is the file that its function imports', () =>
    assert.equal(moduleOf({ path, load: () => import('./first-screen.ts') }), 'first-screen.ts'));
  it('is refused if the function does anything else', () => {
    const name = './first-screen.ts';
    for (const load of [
      () => import(name),
      async () => import('./first-screen.ts'),
      () => import('./first-screen.ts').then((file) => file),
      () => Promise.resolve({}),
    ])
      assert.throws(() => moduleOf({ path, load }), /The screen \/earn is not loaded by an import alone/);
  });
});
