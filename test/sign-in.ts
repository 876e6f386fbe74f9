import assert from 'node:assert/strict';
import type { BrowserContext } from 'playwright-core';
import type { Account, RunningSite } from './running-site.ts';

/** Signs a browser in by a request, so that a test starts at its screen. */
export async function signIn(
  { request }: Pick<BrowserContext, 'request'>,
  { origin }: Pick<RunningSite, 'origin'>,
  account: Account,
): Promise<void> {
  const answer = await request.post(`${origin}/api/auth/login`, { headers: { origin }, data: account });
  assert.equal(answer.status(), 200);
}
