import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { sql } from '#platform/database.ts';
import { openBrowser } from './browser.ts';
import { hostileTexts } from './hostile-texts.ts';
import { demoSite } from './running-site.ts';
import { visitingMember } from './visiting-member.ts';

/** The chat with many and with hostile messages, as a member reads back through it. */
const browser = await openBrowser({ after });
const site = await demoSite({ after });
const headers = { origin: site.origin };
const writer = await visitingMember(site, browser);
const reader = await visitingMember(site, browser);

const panelOf = (page: Page) => page.getByRole('complementary', { name: 'Chat and support' });
const logOf = (page: Page) => panelOf(page).getByRole('log');

/** Opens the chat and waits until its newest messages are in sight. Returns how long that took in the page, in ms. */
async function openChat(page: Page): Promise<number> {
  const button = page.locator('header').getByRole('button', { name: /^Chat/ });
  await button.waitFor();
  return page.evaluate(async () => {
    const startedAtMs = performance.now();
    document.querySelector<HTMLElement>('header button[aria-label^="Chat"]')?.click();
    const isThere = () => document.querySelector('[role="log"][data-placed] article') !== null;
    while (!isThere()) {
      if (performance.now() > startedAtMs + 20_000) throw new Error('The chat did not open');
      await new Promise(requestAnimationFrame);
    }
    return performance.now() - startedAtMs;
  });
}
const closeChat = async (page: Page) => {
  await panelOf(page).getByRole('button', { name: 'Close chat' }).click();
  await panelOf(page).waitFor({ state: 'detached' });
};

/** The texts in the document by the id of their message, and whether one of them has an element in it. */
const textsIn = (page: Page): Promise<[string, string, number][]> =>
  logOf(page)
    .locator('article')
    .evaluateAll((articles) =>
      articles.map((article) => {
        const text = article.querySelector('[dir="auto"]:not(b)');
        return [
          article.getAttribute('data-message') ?? '',
          text?.textContent ?? '',
          text?.childElementCount ?? -1,
        ];
      }),
    );

/**
 * Scrolls near the beginning and rests there until the older messages that this fetches are in the list. Returns by how
 * many px they moved what was in sight.
 */
const waitForOlder = (page: Page): Promise<number> =>
  logOf(page).evaluate(async (log) => {
    const frames = async (count: number) => {
      for (let frame = 0; frame < count; frame += 1) await new Promise(requestAnimationFrame);
    };
    log.scrollTop = 300;
    const { scrollHeight } = log;
    await frames(6);
    const { top } = log.getBoundingClientRect();
    const anchor = [...log.querySelectorAll('article')].find((one) => one.getBoundingClientRect().top > top);
    const topOf = () => anchor?.getBoundingClientRect().top ?? Number.NaN;
    const before = topOf();
    while (log.scrollHeight < scrollHeight + 1_000) await frames(1);
    await frames(10);
    return topOf() - before;
  });

describe('the chat that was written in for long', () => {
  it('shows 300 hostile messages as texts, and refuses what is none', async () => {
    const { page } = reader;
    const foreign: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(site.origin) && !request.url().startsWith('data:'))
        foreign.push(request.url());
    });
    page.on('dialog', (dialog) => foreign.push(dialog.message()));
    const texts = hostileTexts(300);
    const sent = new Map<string, string>();
    let refused = 0;
    for (const content of texts) {
      const data = { channelId: '1', content };
      const answer = await writer.context.request.post(`${site.origin}/api/chat/messages`, { headers, data });
      assert.ok([201, 400].includes(answer.status()), await answer.text());
      if (answer.status() === 400) refused += 1;
      else {
        const { id, message } = await answer.json();
        sent.set(id, message);
      }
    }
    assert.equal(texts.length, 300);
    assert.ok(refused > 0 && sent.size > 200, `${refused} refused, ${sent.size} taken`);

    // A high window shows many at once.
    await page.setViewportSize({ width: 1_000, height: 4_000 });
    await page.goto(site.origin);
    await openChat(page);
    await logOf(page).press('End');
    const shown = new Map<string, string>();
    const look = async () => {
      for (const [key, text, elements] of await textsIn(page)) {
        assert.equal(elements, 0, `elements in ${JSON.stringify(text)}`);
        shown.set(key, text);
        if (sent.get(key) === text) sent.delete(key);
      }
    };
    for (let step = 0; step < 200 && sent.size > 0; step += 1) {
      await look();
      await logOf(page).evaluate(async (log) => {
        // A busy machine may draw rows later than they were passed: they are read on the next way back.
        log.scrollTop = log.scrollTop === 0 ? log.scrollHeight : log.scrollTop - log.clientHeight / 2;
        for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
      });
    }
    for (const [id, text] of sent) assert.equal(shown.get(id), text);
    assert.ok(shown.size > 200);
    assert.equal(await page.evaluate('window.pwned'), undefined);
    assert.deepEqual(foreign, []);
    assert.equal(await logOf(page).evaluate((log) => log.scrollWidth > log.clientWidth), false);
  });

  it('opens with 100,000 messages as fast as with 300, and pages back without a jump', async () => {
    const { page } = reader;
    await page.setViewportSize({ width: 1_440, height: 900 });
    await page.goto(site.origin);
    const openings = async () => {
      const tookMs: number[] = [];
      for (let turn = 0; turn < 3; turn += 1) {
        tookMs.push(await openChat(page));
        await closeChat(page);
      }
      return Math.min(...tookMs);
    };
    const fewMs = await openings();
    await site.owner.rows(sql`
      with last as (select seq from chat.channels where id = 1),
      added as (
        insert into chat.messages (channel_id, seq, member_id, is_from_operator, body, created_at)
        select 1, last.seq + place, ${Number(writer.id)}, false, 'message ' || place, platform.business_now()
        from last, generate_series(1, 100000) place returning seq)
      update chat.channels set seq = (select max(seq) from added) where id = 1`);
    await site.owner.rows(sql`
      insert into chat.reads (channel_id, member_id, seq)
      select 1, ${Number(reader.id)}, seq from chat.channels where id = 1
      on conflict (member_id, channel_id) do update set seq = excluded.seq`);
    await site.owner.rows(sql`analyze chat.messages`);
    const manyMs = await openings();
    assert.ok(manyMs < fewMs * 1.5 + 150, `${manyMs} ms beside ${fewMs} ms`);

    await openChat(page);
    await logOf(page).getByText('message 100000', { exact: true }).waitFor();
    // The list goes to its end again until the rows of its opening are measured.
    await logOf(page).evaluate(() => new Promise((resolve) => setTimeout(resolve, 500)));
    await page.route(/before=/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      await route.continue();
    });
    for (let turn = 0; turn < 3; turn += 1) {
      const movedPx = await waitForOlder(page);
      assert.ok(Math.abs(movedPx) <= 2, `moved by ${movedPx} px`);
    }
    const inDocument = await logOf(page).locator('article').count();
    assert.ok(inDocument < 60, `${inDocument} messages in the document`);
    const [first] = await textsIn(page);
    assert.match(first?.[1] ?? '', /^message 99[89][0-9]{2}$/);
  });

  it('opens at its very end where another member wrote last, and goes with what comes', async () => {
    const { page } = reader;
    await closeChat(page);
    const write = async ({ context }: typeof reader, content: string) => {
      const data = { channelId: '1', content };
      const answer = await context.request.post(`${site.origin}/api/chat/messages`, { headers, data });
      assert.equal(answer.status(), 201);
    };
    const readAll = () =>
      site.owner.rows(sql`
        update chat.reads set seq = channels.seq from chat.channels
        where channels.id = 1 and reads.channel_id = 1 and reads.member_id = ${Number(reader.id)}`);
    /** How far below what is in sight the list ends, once it rests. */
    const gap = () =>
      logOf(page).evaluate(async (log) => {
        await new Promise((resolve) => setTimeout(resolve, 300));
        return log.scrollHeight - log.scrollTop - log.clientHeight;
      });
    // The other member’s message begins a group, whose row is the higher by its head.
    await write(reader, 'who is first');
    await write(writer, 'the last of all');
    await readAll();
    await page.goto(site.origin);
    await openChat(page);
    const openedPx = await gap();
    assert.ok(openedPx < 2, `opens ${openedPx} px before its end`);
    await write(writer, 'one more of them');
    await logOf(page).getByText('one more of them').waitFor();
    const followedPx = await gap();
    assert.ok(followedPx < 2, `follows to ${followedPx} px before its end`);
  });

  it('is a log of named messages and a named field to who does not see it', async () => {
    const { page } = reader;
    await page.setViewportSize({ width: 390, height: 844 });
    const tree = await panelOf(page).ariaSnapshot();
    for (const line of [
      /- complementary "Chat and support":/,
      /- log "Messages of General":/,
      /- article "Mina, \d+:\d+ [AP]M":/,
      /- button "More about this message of Mina"/,
      /- textbox "Message to General"/,
      /- button "Close chat"/,
    ])
      assert.match(tree, line);
    assert.deepEqual([...reader.complaints, ...writer.complaints], []);
  });
});
