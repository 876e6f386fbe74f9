import assert from 'node:assert/strict';
import { it } from 'node:test';
import { screenOfTarget } from './acts.ts';

it('leads from an act to the screen that shows what it changed, and to none if no screen does', () => {
  const panel = '/management-panel-x7k9w';
  for (const [kind, path, search] of [
    ['site', '/config', { tab: 'site' }],
    ['payment-method', '/config', { tab: 'payments', open: '7' }],
    ['provider', '/config', { tab: 'providers', open: '7' }],
    ['member', '/users/member', { id: '7' }],
    ['withdrawal', '/withdrawals', { status: 'all', open: '7' }],
    ['registration', '/registrations', { status: 'all', open: '7' }],
    ['job', '', { tab: 'system' }],
  ] as const)
    assert.deepEqual(screenOfTarget(kind, '7'), { path: panel + path, search }, kind);
  assert.equal(screenOfTarget('secret', '7'), undefined);
  assert.equal(screenOfTarget(null, '7'), undefined);
});
