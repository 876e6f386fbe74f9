import assert from 'node:assert/strict';
import type { BrowserContext, Page } from 'playwright-core';
import type { visitingMember } from './visiting-member.ts';

/** The withdrawal page as a test sees it. */
export const LITECOIN = 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9';

/** The parts of the withdrawal page, and what a member does there. */
export function actsOf({ page, post }: Awaited<ReturnType<typeof visitingMember>>) {
  const dialog = page.getByRole('dialog');
  const list = page.getByRole('region', { name: 'Your withdrawals' });
  const openButton = page.getByRole('button', { name: 'Withdraw', exact: true });
  return {
    dialog,
    list,
    row: list.getByRole('listitem').first(),
    openButton,
    open: async () => {
      await openButton.click();
      await dialog.getByLabel('Amount').waitFor();
    },
    /** The address that the form offers again, after it was taken. */
    takeLastAddress: async () => {
      await openButton.click();
      await dialog.getByRole('button', { name: /^Use ltc1qw50….+ again$/ }).click();
      const taken = await dialog.getByLabel('Litecoin address').inputValue();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      return taken;
    },
    /** The dialog is in the URL: a reload keeps it open, and Back closes it and not the page. */
    reloadAndGoBack: async () => {
      await page.reload();
      await dialog.getByLabel('Amount').waitFor();
      await page.goBack();
      await dialog.waitFor({ state: 'detached' });
      await openButton.click();
      await page.goBack();
      await openButton.and(page.locator(':focus')).waitFor();
      await page.goForward();
      await dialog.getByLabel('Amount').waitFor();
    },
    toCheck: async (amount: string, recipient: string) => {
      await dialog.getByLabel('Amount').fill(amount);
      await dialog.getByLabel('Litecoin address').fill(recipient);
      await dialog.getByRole('button', { name: 'Check details' }).click();
    },
    send: (points: string) => dialog.getByRole('button', { name: new RegExp(`^Withdraw ${points}`) }).click(),
    /** The server carries out the next request, and its answer never arrives. */
    loseNextAnswer: () =>
      page.route(
        '**/api/withdrawal',
        async (route) => {
          await route.fetch();
          await route.abort();
        },
        { times: 1 },
      ),
    request: (amountPoints: string) =>
      post(
        '/api/withdrawal',
        { amountPoints, method: 'litecoin', recipientInfo: { address: LITECOIN } },
        201,
      ),
  };
}

/** What an operator decides about a member's pending request of this amount. */
export const decideAs =
  (operator: BrowserContext, origin: string) =>
  async (email: string, amount: string, act: 'approve' | 'reject', data: object) => {
    const listed = await operator.request.get(`${origin}/api/admin/withdrawals-data?q=${email}`);
    const { withdrawals } = (await listed.json()) as {
      withdrawals: { id: string; amount: string; status: string }[];
    };
    const { id } = withdrawals.find((one) => one.amount === amount && one.status === 'pending') ?? {};
    const path = `${origin}/api/admin/withdrawals/${id}/${act}`;
    const answer = await operator.request.post(path, { headers: { origin }, data });
    assert.equal(answer.status(), 200, await answer.text());
  };

/** Notes in the page each badge and current step that its newest row shows. A reload would forget them. */
export const noteStates = (page: Page) =>
  page.evaluate(() => {
    const seen: string[] = [];
    Object.assign(window, { seenStates: seen });
    const look = () => {
      const row = document.querySelector('li:has([data-tone])');
      if (row === null) return;
      const textOf = (selector: string) => row.querySelector(selector)?.textContent ?? '';
      const state = `${textOf('[data-tone]')}: ${textOf('[aria-current=step]')}`;
      if (seen.at(-1) !== state) seen.push(state);
    };
    new MutationObserver(look).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
    });
    look();
  });
export const statesOf = (page: Page) =>
  page.evaluate(() => (window as unknown as { seenStates: string[] }).seenStates);
