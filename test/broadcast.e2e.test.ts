import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { sql } from '#platform/database.ts';
import { violations, visit, widerThanWindow } from './browser.ts';
import { operatorPage } from './operator-browser.ts';

/** Broadcast e-mail as its operator sees it, and the page on which a member ends such mails. */
const { site, panel, page, context, complaints } = await operatorPage({ after }, { language: 'en' });
const address = `${panel}/support?tab=broadcast`;
const field = (name: string) => page.getByRole('textbox', { name });
const button = (name: string | RegExp) => page.getByRole('button', { name });
const outbox = async (): Promise<{ to: string; subject: string; text: string }[]> =>
  (await context.request.get(`${site.origin}/sandbox/outbox`)).json();
const mailsWith = async (subject: string) => (await outbox()).filter((mail) => mail.subject === subject);

describe('broadcast e-mail', () => {
  it('§2-2 broadcast e-mail: counts the recipients, previews both languages and says what is missing', async () => {
    await visit(page, address);
    const counted = await (
      await context.request.get(`${site.origin}/api/admin/broadcast-email/count`)
    ).json();
    const count = page.getByRole('region', { name: 'Count' });
    await count.getByText(`${counted.recipients} members`).last().waitFor();
    await button(/^Send to .* members…$/).click();
    await page.getByText('Write a subject in English').waitFor();
    await field('Subject, English').fill('A short pause');
    await field('Content, English').fill('We change a server on Monday.');
    await field('Subject, Korean').fill('잠시 멈춥니다');
    await field('Content, Korean').fill('월요일에 서버를 바꿉니다.');
    await page
      .getByRole('link', { name: /^Tickets/ })
      .first()
      .click();
    await page.getByText('Simple', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Broadcast e-mail' }).click();
    assert.equal(
      await field('Content, Korean').inputValue(),
      '월요일에 서버를 바꿉니다.',
      'the draft is kept',
    );
    const previews = page.getByRole('region', { name: 'Preview' });
    await previews.getByText('월요일에 서버를 바꿉니다.').waitFor();
    assert.deepEqual([await violations(page), await widerThanWindow(page)], [[], 0]);
  });
  it('§2-7 broadcast e-mail: sends a test, then to all, paused and gone on with, each member once', async () => {
    await button('Send a test to me').click();
    await page.getByText(`A test is on its way to ${site.operator.email}.`).waitFor();
    await button(/^Send to .* members…$/).click();
    await button(/^Send to \d+ members$/).click();
    const card = page.locator('[data-broadcast]').first();
    await card.getByRole('button', { name: 'Pause' }).click();
    await card.getByText(/^Paused by/).waitFor();
    assert.deepEqual(await violations(page), []);
    // The rest of the demo world's members need no mail here.
    await site.owner.rows(sql`
      update members.members set email_notifications = false where email <> ${site.operator.email}
        and id <> (select min(id) from members.members where role = 'user' and email_notifications)`);
    await card.getByRole('button', { name: 'Resume' }).click();
    await card.getByRole('heading', { name: 'Result' }).waitFor({ timeout: 60_000 });
    const [counts] = await site.owner.rows<{ sent: number; skipped: number; all: number }>(sql`
      select sent_count as sent, skipped_count as skipped, recipient_count as all from broadcasts.broadcasts`);
    assert.equal((counts?.sent ?? 0) + (counts?.skipped ?? 0), counts?.all);
    const mails = [...(await mailsWith('A short pause')), ...(await mailsWith('잠시 멈춥니다'))];
    const others = mails.filter(({ to }) => to !== site.operator.email);
    assert.equal(new Set(others.map(({ to }) => to)).size, others.length);
    assert.deepEqual(complaints, []);
  });
  it('is ended by its reader with one press, and taken back', async () => {
    const [mail] = await mailsWith('A short pause');
    const link = /https?:\S+\/unsubscribe\?token=\S+/.exec(mail?.text ?? '')?.[0] ?? '';
    const wants = async () =>
      (
        await site.owner.one<{ wants: boolean }>(
          sql`select email_notifications as wants from members.members where email = ${mail?.to}`,
        )
      ).wants;
    await visit(page, link.replace(/^https?:\/\/[^/]+/, site.origin));
    assert.equal(await wants(), true);
    await button('End the news by mail').click();
    await page.getByRole('heading', { name: 'You get no more news by mail' }).waitFor();
    assert.equal(await wants(), false);
    assert.deepEqual(await violations(page), []);
    await button('Get news by mail again').click();
    await page.getByRole('heading', { name: 'You get news by mail again' }).waitFor();
    assert.equal(await wants(), true);
    await visit(page, `${site.origin}/unsubscribe?token=123456789-broken`);
    await button('End the news by mail').click();
    await page.getByRole('heading', { name: 'This link is not valid' }).waitFor();
  });
});
