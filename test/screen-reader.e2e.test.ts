import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { openReader, type Reader } from './accessibility-tree.ts';
import { openBrowser, openPage } from './browser.ts';
import { demoSite } from './running-site.ts';

/** The whole journey with a screen reader: the test uses only the accessibility tree. */
const site = await demoSite({ after });
const browser = await openBrowser({ after });
const phone = '+821055507654';
const address = 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9';

async function register(reader: Reader): Promise<void> {
  await reader.press('link', 'Get started');
  await reader.press('tab', 'Register');
  await reader.type('textbox', /^First name/, 'Sora');
  await reader.type('textbox', /^E-mail/, 'sora.lim@example.com');
  await reader.type('textbox', /^Password/, 'a quiet river 7');
  await reader.type('textbox', /^Confirm password/, 'a quiet river 7');
  await reader.press('checkbox', 'I am human');
  await reader.press('button', 'Create account');
  await reader.hear(/Sora/);
}

async function phoneCode(): Promise<string> {
  const answer = await fetch(`${site.origin}/sandbox/outbox`);
  const sent = (await answer.json()) as { to: string; code: string | null }[];
  return sent.findLast(({ to }) => to === phone)?.code ?? '';
}

it('registers, earns and withdraws by the accessibility tree alone', async () => {
  const { page, complaints } = await openPage(browser);
  await page.goto(site.origin);
  const reader = await openReader(page);
  await register(reader);

  await reader.press('link', 'Earn');
  await reader.press('button', /CPX Research/);
  const wallUrl = /\/sandbox\/wall\/cpx/;
  for (let tries = 0; !page.frames().some((frame) => wallUrl.test(frame.url())) && tries < 100; tries += 1)
    await page.waitForTimeout(100);
  const frame = page.frames().find((one) => wallUrl.test(one.url()));
  assert.ok(frame, 'the wall is a frame of its own');
  const wall = await openReader(page, frame);
  let said = await reader.hear(/Balance\s+[\d,]+\s*P$/);
  while (Number(said.replaceAll(/\D/g, '')) < 1_000) {
    await wall.press('button', /^Complete/);
    const before = said;
    said = await reader.hear((name) => /Balance\s+[\d,]+\s*P$/.test(name) && name !== before);
  }
  await reader.press('button', 'Close CPX Research');

  await page.goto(`${site.origin}/settings`);
  await reader.type('textbox', /^Phone number/, phone);
  await reader.press('button', 'Send code');
  await reader.hear(`The code is on its way to ${phone}.`);
  await page.keyboard.type(await phoneCode());
  await reader.press('button', 'Verify phone');
  await reader.hear('This number is verified.');

  await reader.press('link', 'Withdraw');
  await reader.press('button', 'Withdraw');
  await reader.type('textbox', /^Amount/, '1000');
  await reader.type('textbox', /^Litecoin address/, address);
  await reader.press('button', 'Check details');
  await reader.press('button', 'Withdraw 1,000 P');
  await reader.hear('Requested. We pay within 1–3 business days.');
  assert.deepEqual(complaints, []);
});
