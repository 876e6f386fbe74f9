import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { openBrowser, openConnected, openPage, violations, visit } from './browser.ts';
import { drawnSide } from './coinflip-world.ts';
import { demoSite } from './running-site.ts';
import { signIn } from './sign-in.ts';
import { advanceIntoSiteDay } from './site-day.ts';

/**
 * What a member can do each day at home: the daily bonus, and the coin flip with the check of its draws. One page of
 * the demo member goes through all tests, on the days that they name.
 */
const site = await demoSite({ after });
const browser = await openBrowser({ after });
const origin = site.origin;
const { page, context, complaints } = await openPage(browser, { reducedMotion: 'reduce' });

/** Begins a day with nothing claimed or played. */
async function nextDay(): Promise<void> {
  await advanceIntoSiteDay(site.owner);
  await signIn(context, site, site.member);
}
const post = async (path: string, data: object = {}) => {
  const answer = await context.request.post(`${origin}${path}`, { headers: { origin }, data });
  assert.ok(answer.ok(), `${path}: ${answer.status()} ${await answer.text()}`);
  return answer.status() === 204 ? null : answer.json();
};
const read = async (path: string) => (await context.request.get(`${origin}${path}`)).json();
const readBalance = async () => Number((await read('/api/user/stats')).balance);

// The demo world may be of the day before. Its last claim is two days ago or more in any case, so day 1 comes now.
for (let day = 1; day <= 3; day += 1) {
  await nextDay();
  await post('/api/daily-bonus/claim');
}
await nextDay();

const bonus = page.getByRole('region', { name: 'Daily bonus' });
const coin = page.getByRole('region', { name: 'Coin flip' });
const left = (games: number) => coin.getByText(`${games} of 5 flips left today`).waitFor();
const stake = coin.getByLabel('Stake (points)');
const alertOf = (title: string) => page.getByRole('alert').filter({ hasText: title });

/** Shows the coin flip as at its opening, with what the server says by now. */
async function comeBack(): Promise<void> {
  await visit(page, `${origin}/history`);
  await page.getByRole('heading', { level: 1, name: 'History' }).waitFor();
  await visit(page, `${origin}/`);
  await coin.waitFor();
}
async function playElsewhere(games: number): Promise<void> {
  for (let game = 0; game < games; game += 1)
    await post('/api/coin-flip', { betAmount: 1, playerChoice: 'heads' });
}

/**
 * Notes in the page which balances the top bar shows while the coin spins. A look from here could come after the spin
 * on a busy machine.
 */
async function noteShownBalances(): Promise<() => Promise<string[]>> {
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

describe('the daily bonus', () => {
  it('§1-4 daily bonus: shows the ladder, credits the points at a press and names tomorrow’s points', async () => {
    await page.goto(origin);
    await bonus.getByText('Day 4 in a row').waitFor();
    const stamps = bonus.getByRole('listitem');
    assert.equal(await stamps.count(), 7);
    const shown = await stamps.evaluateAll((items) => items.map((item) => item.dataset.state));
    assert.deepEqual(shown, [...Array(3).fill('claimed'), 'today', ...Array(3).fill('to-come')]);
    assert.equal(await bonus.locator('[aria-current=step]').locator('b').innerText(), '20');
    const before = await readBalance();
    const claims: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/api/daily-bonus/claim')) claims.push(request.url());
    });
    // A double click makes one claim and shows one toast.
    await bonus.getByRole('button', { name: 'Claim 20 P' }).dblclick();
    const toast = page.getByRole('status').filter({ hasText: 'Daily Bonus Earned!' });
    await toast.getByText('20 P earned.').waitFor();
    await bonus.getByText('4 days in a row').waitFor();
    const done = bonus.getByRole('button', { name: 'Come back tomorrow for 25 P' });
    await done.waitFor();
    assert.equal(await done.isDisabled(), true);
    await page.getByText('Daily bonus · day 4').waitFor();
    assert.equal(await readBalance(), before + 20);
    assert.equal(claims.length, 1);
    assert.equal(
      await page.evaluate(() => document.activeElement?.textContent),
      'Daily bonus',
      'the pressed button is gone, so its card has the focus',
    );
    assert.deepEqual(complaints, []);
  });

  it('§1-8 daily bonus: shows in a toast why a claim failed, and shows the current state', async () => {
    await nextDay();
    await page.route('**/api/daily-bonus', (route) => route.abort());
    await openConnected(page, () => page.goto(origin));
    await bonus.getByText('The daily bonus didn’t load').waitFor();
    await page.unroute('**/api/daily-bonus');
    await bonus.getByRole('button', { name: 'Try again' }).click();
    await bonus.getByRole('button', { name: 'Claim 25 P' }).waitFor();
    // While the call is under way, the bonus is claimed in another window.
    await page.route('**/api/daily-bonus/claim', async (route) => {
      await post('/api/daily-bonus/claim');
      await route.continue();
    });
    await bonus.getByRole('button', { name: 'Claim 25 P' }).click();
    await alertOf('Bonus Claim Failed').getByText('Claimed already today.').waitFor();
    await bonus.getByRole('button', { name: 'Come back tomorrow for 30 P' }).waitFor();
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('is credited once if the answer to a claim was lost, at any number of presses', async () => {
    await nextDay();
    await page.goto(origin);
    const before = await readBalance();
    const keys: (string | undefined)[] = [];
    await page.route('**/api/daily-bonus/claim', async (route) => {
      keys.push(route.request().headers()['idempotency-key']);
      if (keys.length > 2) return route.continue();
      if (keys.length === 2)
        return route.fulfill({
          status: 429,
          contentType: 'application/problem+json',
          body: JSON.stringify({ status: 429, code: 'rate-limited', detail: 'Too many requests' }),
        });
      await route.fetch();
      await route.abort();
    });
    // Blocks further fetches, which would show that the bonus is claimed.
    let isLooking = false;
    await page.route('**/api/daily-bonus', (route) => (isLooking ? route.abort() : route.continue()));
    const button = bonus.getByRole('button', { name: /Claim 30\sP/ });
    await button.waitFor();
    isLooking = true;
    await button.click();
    await alertOf('Bonus Claim Failed').waitFor();
    await button.click();
    await alertOf('Too many requests').waitFor();
    await button.click();
    await page.getByRole('status').filter({ hasText: 'Daily Bonus Earned!' }).waitFor();
    await bonus.getByRole('button', { name: 'Come back tomorrow for 50 P' }).waitFor();
    await page.getByText('Daily bonus · day 6').waitFor();
    assert.equal(keys.length, 3);
    assert.equal(new Set(keys).size, 1);
    assert.equal(await readBalance(), before + 30);
    await page.unrouteAll({ behavior: 'wait' });
    complaints.splice(0);
  });
});

describe('a game of coin flip', () => {
  it('§1-4 coin flip: spins for two seconds, holds the balance back meanwhile, and shows the result', async () => {
    await left(5);
    assert.equal(await stake.inputValue(), '10');
    const quick = coin.getByRole('group', { name: 'Usual stakes' }).getByRole('button');
    assert.deepEqual(await quick.allInnerTexts(), ['10', '25', '50', '100', '250', '500']);
    await coin.getByRole('button', { name: '250', exact: true }).click();
    await coin.getByText('Tails', { exact: true }).click();
    const before = await readBalance();
    const shownBalances = await noteShownBalances();
    const played = page.waitForResponse('**/api/coin-flip');
    const started = performance.now();
    await coin.getByRole('button', { name: /Flip for 250/ }).click();
    await coin.getByRole('button', { name: 'Flipping…' }).waitFor();
    assert.ok(await stake.isDisabled());
    assert.ok(await coin.getByRole('radio', { name: 'Heads' }).isDisabled());
    const animations = await page.evaluate(
      () =>
        document.getAnimations().filter(({ effect }) => effect?.getTiming().iterations === Infinity).length,
    );
    assert.equal(animations, 0, 'a coin turned for somebody who asked for stillness');
    await played;
    const after = await readBalance();
    assert.equal(Math.abs(after - before), 250);
    const result = coin.getByText(/^(Tails\. You won 500|Heads\. 250)/);
    await result.waitFor();
    assert.ok(performance.now() - started >= 2_000);
    assert.deepEqual(await shownBalances(), [String(before)], 'the balance gave the result away');
    const words = after > before ? /^Tails\. You won 500.P\.$/ : /^Heads\. 250.P gone\.$/;
    assert.match(await result.innerText(), words);
    await page.getByText(/^(Tails|Heads)\. .+ 4 flips left today\.$/).waitFor();
    await left(4);
    await page.waitForFunction(
      (balance) =>
        document.querySelector('header a.num')?.textContent?.replace(/\D/g, '') === String(balance),
      after,
    );
    assert.deepEqual(complaints, []);
  });

  it('§1-5 coin flip: refuses a stake that is not 1 to 500 whole points, with a message at the field', async () => {
    for (const text of ['0', '501', '1.5', '', '-1', 'ten']) {
      await stake.fill(text);
      await stake.press('Enter');
      await coin.getByText('Bet amount must be between 1 and 500 points').waitFor();
      assert.ok(await stake.evaluate((input) => input === document.activeElement), text);
    }
    await stake.fill('500');
    assert.equal(await coin.getByText('Bet amount must be between 1 and 500 points').count(), 0);
    assert.equal((await read('/api/coin-flip/daily-status')).remainingGames, 4);
  });

  it('shows Error on other failures, retries with the same key, and refuses a stake above the balance', async () => {
    await stake.fill('5');
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
    const error = alertOf('Error');
    const flip = coin.getByRole('button', { name: /Flip for/ });
    await flip.click();
    await error.getByText('The server isn’t answering').waitFor();
    answer = 'cut';
    await error.getByRole('button', { name: 'Close' }).click();
    await error.waitFor({ state: 'detached' });
    await flip.click();
    await error.getByText('The server isn’t answering').waitFor();
    answer = 'hasty';
    await flip.click();
    await error.getByText('Too many requests').waitFor();
    answer = 'poor';
    await flip.click();
    await error.getByText('Insufficient balance').waitFor();
    // Its points were spent elsewhere. The card reads the balance again, and says so until it is enough.
    await page.route('**/api/user/stats', async (route) => {
      const real = await route.fetch();
      await route.fulfill({ response: real, json: { ...(await real.json()), balance: '4' } });
    });
    await flip.click();
    const short = coin.getByRole('button', { name: 'Insufficient balance' });
    await short.waitFor();
    assert.ok(await short.isDisabled());
    await stake.press('Enter');
    await coin.getByRole('alert').getByText('Insufficient balance').waitFor();
    await stake.fill('4');
    await coin.getByRole('button', { name: /Flip for 4/ }).waitFor();
    assert.equal(await coin.getByRole('alert').count(), 0);
    answer = 'pass';
    await flip.click();
    await left(3);
    assert.equal(keys[0], keys[1], 'an attempt whose answer was lost keeps its key');
    assert.equal(keys[1], keys[2], 'one whose answer came but half, too');
    assert.equal(keys[2], keys[3], 'and one that was counted as too many before its key was looked at');
    assert.notEqual(keys[3], keys[4], 'a refused one is over');
    await page.evaluate(() => {
      Object.assign(crypto, { real: crypto.getRandomValues });
      crypto.getRandomValues = () => {
        throw new Error('This browser has no randomness');
      };
    });
    await flip.click();
    await error.getByText('Failed to play game').waitFor();
    assert.equal(keys.length, 6);
    await page.evaluate(() => {
      crypto.getRandomValues = (crypto as unknown as { real: Crypto['getRandomValues'] }).real;
    });
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('disables the button after the fifth game of a day, and shows why', async () => {
    await playElsewhere(2);
    await comeBack();
    await left(1);
    await stake.fill('1');
    await coin.getByRole('button', { name: /Flip for 1/ }).click();
    const button = coin.getByRole('button', { name: 'Daily Limit Reached' });
    await button.waitFor();
    assert.ok(await button.isDisabled());
    await page.getByText(/0 flips left today\.$/).waitFor();
    await comeBack();
    await coin.getByText("You've played your 5 games for today. Come back tomorrow!").waitFor();
    assert.ok(await button.isDisabled());
  });
});

describe('fairness', () => {
  it('shows why a game can’t be checked yet, and reveals its seed', async () => {
    await nextDay();
    const game = await post('/api/coin-flip', { betAmount: 5, playerChoice: 'tails' });
    await visit(page, `${origin}/coin-flip/verify?game=${game.id}`);
    await page.getByText('This flip can’t be checked yet: our seed is still in use.').waitFor();
    await page.getByRole('button', { name: 'Replace and reveal our seed' }).click();
    await page.getByText(`The site said ${game.result}: the same.`).waitFor();
    assert.match(await page.getByLabel('Our seed, revealed').inputValue(), /^[0-9a-f]{64}$/);
  });

  it('shows the seed’s hash, replaces and reveals the seeds, and links to the check of each game', async () => {
    await post('/api/coin-flip', { betAmount: 20, playerChoice: 'heads' });
    const [game] = await read('/api/coin-flip/history');
    await comeBack();
    await coin.getByRole('button', { name: 'How it is fair' }).click();
    const dialog = page.getByRole('dialog', { name: 'How it is fair' });
    await dialog.getByText(game.fairness.serverSeedHash).waitFor();
    const own = dialog.getByLabel('Your seed');
    assert.equal(await own.inputValue(), game.fairness.clientSeed);
    await own.fill(' ');
    await dialog.getByRole('button', { name: 'Replace and reveal our seed' }).click();
    await dialog.getByText('Enter 1 to 64 characters').waitFor();
    await own.fill('lucky seven');
    await dialog.getByRole('button', { name: 'Replace and reveal our seed' }).click();
    await dialog.getByText('Our seed before, now revealed').waitFor();
    const next = await read('/api/coin-flip/fairness');
    assert.deepEqual([next.clientSeed, next.nonce], ['lucky seven', 0]);
    await dialog.getByText(next.serverSeedHash).waitFor();
    const [revealed] = await read('/api/coin-flip/history');
    await dialog.getByText(revealed.fairness.serverSeed).waitFor();
    assert.deepEqual(await violations(page), []);
    await dialog.getByRole('link', { name: `Check game ${game.id}` }).click();
    await page.getByRole('heading', { level: 1, name: 'Check a flip' }).waitFor();
    await page.getByText('The seed fits the seal: it was chosen before the game.').waitFor();
    await page.getByText(`The site said ${game.result}: the same.`).waitFor();
  });

  it('§1-8 coin flip: says Daily Limit Reached when games were played elsewhere, and counts anew', async () => {
    await comeBack();
    await left(3);
    await playElsewhere(3);
    await coin.getByRole('button', { name: /Flip for/ }).click();
    const why = "You've played your 5 games for today. Come back tomorrow!";
    await alertOf('Daily Limit Reached').getByText(why).waitFor();
    await coin.getByRole('button', { name: 'Daily Limit Reached' }).waitFor();
  });

  it('is checked by visitors, from the address or pasted, without a call', async () => {
    const visitor = await openPage(browser, { locale: 'ko-KR', reducedMotion: 'reduce' });
    const form = visitor.page;
    const sideOf = (seed: string, own: string, nonce: number) =>
      form.getByText(`이므로 ${drawnSide(seed, own, nonce) === 'heads' ? '앞면' : '뒷면'}입니다`).waitFor();
    const given = 'ab'.repeat(32);
    await form.goto(`${origin}/coin-flip/verify?serverSeed=${given}&clientSeed=7&nonce=3`);
    await sideOf(given, '7', 3);
    const calls: string[] = [];
    form.on('request', (request) => calls.push(request.url()));
    const [serverSeed, clientSeed] = [randomBytes(32).toString('hex'), '행운을 빌어요 🪙'];
    await form.getByLabel('공개된 사이트 시드').fill(serverSeed);
    await form.getByLabel('나의 시드').fill(clientSeed);
    const mac = createHmac('sha256', serverSeed).update(`${clientSeed}:3`).digest('hex');
    await form.getByText(mac.slice(2)).waitFor();
    await sideOf(serverSeed, clientSeed, 3);
    await form.getByText('봉인값이 없어서').waitFor();
    await form.getByLabel('던지기 전에 본 봉인값').fill('0'.repeat(64));
    await form.getByText('시드가 봉인값과 맞지 않습니다.').waitFor();
    await form.getByLabel('공개된 사이트 시드').fill('abc');
    await form.getByText('사이트 시드는 0~9와 a~f로 된 64자입니다').waitFor();
    await form.getByText('두 시드와 번호를 채우면').waitFor();
    assert.deepEqual(calls, []);
    assert.deepEqual(visitor.complaints, []);
    await visitor.context.close();
  });
});
