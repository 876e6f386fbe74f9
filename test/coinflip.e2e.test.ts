import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { after, describe, it } from 'node:test';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { openBrowser, openPage, violations } from './browser.ts';
import { drawnSide } from './coinflip-world.ts';
import { demoSite } from './running-site.ts';
import { advanceIntoSiteDay } from './site-day.ts';

/** The coin flip in Chromium: a game, the daily limit, the seeds, and the check of a draw for members and visitors. */
const site = await demoSite({ after });
const browser = await openBrowser({ after });
const origin = site.origin;

const post = async (context: BrowserContext, path: string, data: object = {}) => {
  const answer = await context.request.post(`${origin}${path}`, { headers: { origin }, data });
  assert.ok(answer.ok(), `${path}: ${answer.status()} ${await answer.text()}`);
  return answer.status() === 204 ? null : answer.json();
};

async function openAsMember(options: BrowserContextOptions = {}) {
  const opened = await openPage(browser, options);
  await post(opened.context, '/api/auth/login', site.member);
  return opened;
}

/** Each test runs on its own day, so that five games are left. */
const nextDay = () => advanceIntoSiteDay(site.owner);

const cardOf = (page: Page) => page.getByRole('region', { name: 'Coin flip' });
const balanceOf = async (context: BrowserContext): Promise<number> =>
  Number((await (await context.request.get(`${origin}/api/user/stats`)).json()).balance);
/**
 * Notes in the page which balances the top bar shows while the coin spins. A look from here could come after the spin
 * on a busy machine.
 */
async function noteShownBalances(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const shown = new Set<string>();
    Object.assign(window, { shown });
    const look = () => {
      if (!document.querySelector('main')?.textContent?.includes('Flipping…')) return;
      shown.add(document.querySelector('header a.num')?.textContent?.replace(/\D/g, '') ?? '');
    };
    new MutationObserver(look).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
    });
  });
  return () => page.evaluate(() => [...(window as unknown as { shown: Set<string> }).shown]);
}

describe('a game of coin flip', () => {
  it('§1-4 coin flip: spins for two seconds, holds the balance back meanwhile, and shows the result', async () => {
    const { page, context, complaints } = await openAsMember();
    await nextDay();
    await page.goto(origin);
    const card = cardOf(page);
    await card.getByText('5 of 5 flips left today').waitFor();
    assert.equal(await card.getByLabel('Stake, in points').inputValue(), '10');
    const quick = card.getByRole('group', { name: 'Usual stakes' }).getByRole('button');
    assert.deepEqual(await quick.allInnerTexts(), ['10', '25', '50', '100', '250', '500']);
    await card.getByRole('button', { name: '250', exact: true }).click();
    await card.getByText('Tails', { exact: true }).click();
    const before = await balanceOf(context);
    const shownBalances = await noteShownBalances(page);
    const played = page.waitForResponse('**/api/coin-flip');
    const started = performance.now();
    await card.getByRole('button', { name: /Flip for 250/ }).click();
    await card.getByRole('button', { name: 'Flipping…' }).waitFor();
    assert.ok(await card.getByLabel('Stake, in points').isDisabled());
    assert.ok(await card.getByRole('radio', { name: 'Heads' }).isDisabled());
    await played;
    const after = await balanceOf(context);
    assert.equal(Math.abs(after - before), 250);
    const result = card.getByText(/^(Tails\. You won 500|Heads\. 250)/);
    await result.waitFor();
    assert.ok(performance.now() - started >= 2_000);
    assert.deepEqual(await shownBalances(), [String(before)], 'the balance gave the result away');
    const words = after > before ? /^Tails\. You won 500.P\.$/ : /^Heads\. 250.P gone\.$/;
    assert.match(await result.innerText(), words);
    const toast = page.getByText(/^(Tails|Heads)\. .+ 4 flips left today\.$/);
    await toast.waitFor();
    await card.getByText('4 of 5 flips left today').waitFor();
    await page.waitForFunction(
      (balance) =>
        document.querySelector('header a.num')?.textContent?.replace(/\D/g, '') === String(balance),
      after,
    );
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(complaints, []);
    await context.close();
  });

  it('§1-5 coin flip: refuses a stake that is not 1 to 500 whole points, with a message at the field', async () => {
    const { page, context } = await openAsMember();
    await nextDay();
    await page.goto(origin);
    const card = cardOf(page);
    const field = card.getByLabel('Stake, in points');
    for (const stake of ['0', '501', '1.5', '', '-1', 'ten']) {
      await field.fill(stake);
      await field.press('Enter');
      await card.getByText('Bet amount must be between 1 and 500 points').waitFor();
      assert.ok(await field.evaluate((input) => input === document.activeElement), stake);
    }
    await field.fill('500');
    assert.equal(await card.getByText('Bet amount must be between 1 and 500 points').count(), 0);
    assert.equal(
      (await (await context.request.get(`${origin}/api/coin-flip/daily-status`)).json()).remainingGames,
      5,
    );
    await context.close();
  });

  it('refuses a stake above the balance, with a message at the field', async () => {
    const { page, context } = await openAsMember();
    await nextDay();
    await page.route('**/api/user/stats', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), balance: '5' } });
    });
    await page.goto(origin);
    const card = cardOf(page);
    const button = card.getByRole('button', { name: 'Insufficient balance' });
    await button.waitFor();
    assert.ok(await button.isDisabled());
    const field = card.getByLabel('Stake, in points');
    await field.press('Enter');
    await card.getByRole('alert').getByText('Insufficient balance').waitFor();
    await field.fill('5');
    await card.getByRole('button', { name: /Flip for 5/ }).waitFor();
    assert.equal(await card.getByRole('alert').count(), 0);
    await page.unrouteAll({ behavior: 'wait' });
    await context.close();
  });

  it('disables the button after the fifth game of a day, and shows why', async () => {
    const { page, context, complaints } = await openAsMember({ reducedMotion: 'reduce' });
    await nextDay();
    for (let game = 0; game < 4; game += 1)
      await post(context, '/api/coin-flip', { betAmount: 1, playerChoice: 'heads' });
    await page.goto(origin);
    const card = cardOf(page);
    await card.getByText('1 of 5 flips left today').waitFor();
    await card.getByLabel('Stake, in points').fill('1');
    await card.getByRole('button', { name: /Flip for 1/ }).click();
    await card.getByRole('button', { name: 'Flipping…' }).waitFor();
    const animations = await page.evaluate(
      () =>
        document.getAnimations().filter(({ effect }) => effect?.getTiming().iterations === Infinity).length,
    );
    assert.equal(animations, 0, 'a coin turned for somebody who asked for stillness');
    const button = card.getByRole('button', { name: 'Daily Limit Reached' });
    await button.waitFor();
    assert.ok(await button.isDisabled());
    await page.getByText(/0 flips left today\.$/).waitFor();
    await page.reload();
    await card.getByText("You've played your 5 games for today. Come back tomorrow!").waitFor();
    assert.ok(await card.getByRole('button', { name: 'Daily Limit Reached' }).isDisabled());
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(complaints, []);
    await context.close();
  });

  it('§1-8 coin flip: says Daily Limit Reached when games were played elsewhere, and counts anew', async () => {
    const { page, context } = await openAsMember();
    await nextDay();
    await page.goto(origin);
    const card = cardOf(page);
    await card.getByText('5 of 5 flips left today').waitFor();
    for (let game = 0; game < 5; game += 1)
      await post(context, '/api/coin-flip', { betAmount: 1, playerChoice: 'heads' });
    await card.getByRole('button', { name: /Flip for/ }).click();
    const toast = page.getByRole('alert').filter({ hasText: 'Daily Limit Reached' });
    await toast.getByText("You've played your 5 games for today. Come back tomorrow!").waitFor();
    await card.getByRole('button', { name: 'Daily Limit Reached' }).waitFor();
    await context.close();
  });

  it('shows Error on other failures, and retries with the same key', async () => {
    const { page, context } = await openAsMember();
    await nextDay();
    await page.goto(origin);
    const card = cardOf(page);
    const keys: (string | undefined)[] = [];
    let answer: 'lose' | 'cut' | 'hasty' | 'poor' | 'pass' = 'lose';
    await page.route('**/api/coin-flip', async (route) => {
      keys.push((await route.request().allHeaders())['idempotency-key']);
      if (answer === 'pass') return route.continue();
      if (answer === 'lose') return route.abort();
      if (answer === 'cut') return route.fulfill({ contentType: 'application/json', body: '{"id":' });
      const [status, code] = answer === 'hasty' ? [429, 'rate-limited'] : [409, 'insufficient-balance'];
      return route.fulfill({
        status,
        contentType: 'application/problem+json',
        body: JSON.stringify({ status, code, detail: 'No' }),
      });
    });
    const errorToast = page.getByRole('alert').filter({ hasText: 'Error' });
    await card.getByRole('button', { name: /Flip for/ }).click();
    await errorToast.getByText('The server isn’t answering').waitFor();
    answer = 'cut';
    await errorToast.getByRole('button', { name: 'Close' }).click();
    await errorToast.waitFor({ state: 'detached' });
    await card.getByRole('button', { name: /Flip for/ }).click();
    await errorToast.getByText('The server isn’t answering').waitFor();
    answer = 'hasty';
    await card.getByRole('button', { name: /Flip for/ }).click();
    await errorToast.getByText('Too many requests').waitFor();
    answer = 'poor';
    await card.getByRole('button', { name: /Flip for/ }).click();
    await errorToast.getByText('Insufficient balance').waitFor();
    answer = 'pass';
    await card.getByRole('button', { name: /Flip for/ }).click();
    await card.getByText('4 of 5 flips left today').waitFor();
    assert.equal(keys[0], keys[1], 'an attempt whose answer was lost keeps its key');
    assert.equal(keys[1], keys[2], 'one whose answer came but half, too');
    assert.equal(keys[2], keys[3], 'and one that was counted as too many before its key was looked at');
    assert.notEqual(keys[3], keys[4], 'a refused one is over');
    await page.evaluate(() => {
      crypto.getRandomValues = () => {
        throw new Error('This browser has no randomness');
      };
    });
    await card.getByRole('button', { name: /Flip for/ }).click();
    await errorToast.getByText('Failed to play game').waitFor();
    assert.equal(keys.length, 5);
    await context.close();
  });
});

describe('fairness', () => {
  it('shows the seed’s hash, replaces and reveals the seeds, and links to the check of each game', async () => {
    const { page, context, complaints } = await openAsMember();
    await nextDay();
    await post(context, '/api/coin-flip', { betAmount: 20, playerChoice: 'heads' });
    const [game] = await (await context.request.get(`${origin}/api/coin-flip/history`)).json();
    await page.goto(origin);
    await cardOf(page).getByRole('button', { name: 'How it is fair' }).click();
    const dialog = page.getByRole('dialog', { name: 'How it is fair' });
    await dialog.getByText(game.fairness.serverSeedHash).waitFor();
    assert.deepEqual(await violations(page), []);
    const own = dialog.getByLabel('Your seed');
    assert.equal(await own.inputValue(), game.fairness.clientSeed);
    await own.fill(' ');
    await dialog.getByRole('button', { name: 'Replace and reveal our seed' }).click();
    await dialog.getByText('Enter 1 to 64 characters').waitFor();
    await own.fill('lucky seven');
    await dialog.getByRole('button', { name: 'Replace and reveal our seed' }).click();
    await dialog.getByText('Our seed before, now revealed').waitFor();
    const next = await (await context.request.get(`${origin}/api/coin-flip/fairness`)).json();
    assert.deepEqual([next.clientSeed, next.nonce], ['lucky seven', 0]);
    await dialog.getByText(next.serverSeedHash).waitFor();
    const [revealed] = await (await context.request.get(`${origin}/api/coin-flip/history`)).json();
    await dialog.getByText(revealed.fairness.serverSeed).waitFor();
    assert.deepEqual(await violations(page), []);
    await dialog.getByRole('link', { name: `Check game ${game.id}` }).click();
    await page.getByRole('heading', { level: 1, name: 'Check a flip' }).waitFor();
    await page.getByText('The seed fits the seal: it was chosen before the game.').waitFor();
    await page.getByText(`The site said ${game.result}: the same.`).waitFor();
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(complaints, []);
    await context.close();
  });

  it('shows why a game can’t be checked yet, and reveals its seed', async () => {
    const { page, context } = await openAsMember();
    await nextDay();
    const game = await post(context, '/api/coin-flip', { betAmount: 5, playerChoice: 'tails' });
    await page.goto(`${origin}/coin-flip/verify?game=${game.id}`);
    await page.getByText('This flip can’t be checked yet: our seed is still in use.').waitFor();
    await page.getByRole('button', { name: 'Replace and reveal our seed' }).click();
    await page.getByText(`The site said ${game.result}: the same.`).waitFor();
    assert.match(await page.getByLabel('Our seed, revealed').inputValue(), /^[0-9a-f]{64}$/);
    await context.close();
  });

  it('checks pasted seeds for visitors without a call, and rejects one that does not match its hash', async () => {
    const { page, context, complaints } = await openPage(browser, { locale: 'en-US' });
    const serverSeed = randomBytes(32).toString('hex');
    const calls: string[] = [];
    await page.goto(`${origin}/coin-flip/verify`);
    await page.getByLabel('Our seed, revealed').waitFor();
    page.on('request', (request) => calls.push(request.url()));
    await page.getByLabel('Our seed, revealed').fill(serverSeed);
    await page.getByLabel('Your seed').fill('행운을 빌어요 🪙');
    const seen = new Set<string>();
    for (let nonce = 0; seen.size < 2 && nonce < 40; nonce += 1) {
      await page.getByLabel('Number of the game').fill(String(nonce));
      const side = drawnSide(serverSeed, '행운을 빌어요 🪙', nonce);
      seen.add(side);
      const digest = createHmac('sha256', serverSeed).update(`행운을 빌어요 🪙:${nonce}`).digest('hex');
      await page.getByText(digest.slice(2)).waitFor();
      await page.getByText(`so ${side}.`).waitFor();
    }
    assert.equal(seen.size, 2);
    await page.getByText('No seal was given').waitFor();
    await page.getByLabel('Its seal, seen before the game').fill('0'.repeat(64));
    await page.getByText('The seed does not fit the seal.').waitFor();
    await page.getByLabel('Our seed, revealed').fill('abc');
    await page.getByText('A server seed has 64 characters').waitFor();
    await page.getByText('Fill in both seeds and the number').waitFor();
    assert.deepEqual(calls, []);
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(complaints, []);
    await context.close();
  });

  it('takes a game’s seeds from the URL, on a phone in Korean', async () => {
    const { page, context, complaints } = await openPage(browser, {
      viewport: { width: 390, height: 844 },
      locale: 'ko-KR',
      isMobile: true,
      hasTouch: true,
    });
    const serverSeed = 'ab'.repeat(32);
    const side = drawnSide(serverSeed, '7', 3);
    await page.goto(`${origin}/coin-flip/verify?serverSeed=${serverSeed}&clientSeed=7&nonce=3`);
    await page.getByText(new RegExp(`이므로 ${side === 'heads' ? '앞면' : '뒷면'}입니다`)).waitFor();
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(complaints, []);
    await context.close();
  });
});
