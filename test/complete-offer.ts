import assert from 'node:assert/strict';
import type { APIRequestContext, Page } from 'playwright-core';

/**
 * Completes the first offer of the simulated wall in the page's frame, and waits until the wall's next page shows the
 * site's answer. The page before may show an older answer, and a press on it would end the running one.
 */
export async function completeOffer(page: Page): Promise<void> {
  const wall = page.frameLocator('iframe');
  const shown = page.waitForResponse((answer) => /\/sandbox\/wall\/.*[?&]done=1/.test(answer.url()));
  await wall.getByRole('button', { name: 'Complete' }).first().click();
  await (await shown).finished();
  await wall.locator('.answer').first().waitFor();
}

/** Gives points to the member who is signed in: the simulated CPX Research reports a completed survey. */
export async function completeSurvey(
  request: APIRequestContext,
  origin: string,
  points: number,
): Promise<void> {
  const walls = await (await request.get(`${origin}/api/offerwalls`)).json();
  const url = new URL((walls as { id: string; url: string }[]).find(({ id }) => id === 'cpx')?.url ?? '');
  const answer = await fetch(`${url.origin}/sandbox/wall/cpx/complete`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ userId: url.searchParams.get('ext_user_id'), points }),
  });
  assert.equal(answer.status, 200);
}
