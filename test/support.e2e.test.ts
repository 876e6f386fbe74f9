import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { OperatorTicket } from '#contract/support.ts';
import { violations } from './browser.ts';
import { operatorPage } from './operator-browser.ts';

/** The operators' tickets with those of the demo world. */
const { site, headers, panel, asMember, page, context, complaints } = await operatorPage({ after });

const address = `${panel}/support`;
const rows = page.locator('tbody').getByRole('row');
const sheet = page.getByRole('complementary');

async function readTicket(id: string): Promise<OperatorTicket | undefined> {
  const answer = await context.request.get(`${site.origin}/api/admin/support/tickets?q=${id}`);
  return ((await answer.json()) as OperatorTicket[])[0];
}

/** Makes a ticket of the demo member. */
async function ask(subject: string): Promise<OperatorTicket> {
  const member = await asMember();
  const asked = await member.post(`${site.origin}/api/support/tickets`, {
    headers,
    data: { subject, message: 'The second line\nstays a line of its own.' },
  });
  assert.equal(asked.status(), 201);
  return (await asked.json()) as OperatorTicket;
}

describe('the operators’ tickets', () => {
  it('are in Korean until the operator chooses English', async () => {
    await page.goto(address);
    await page.getByRole('heading', { level: 1, name: '문의' }).waitFor();
    await page.getByRole('button', { name: 'English' }).click();
    await page.getByRole('heading', { level: 1, name: 'Tickets' }).waitFor();
  });

  it('§2-2 support: show all of a new ticket, and send a response with the next state', async () => {
    const { id } = await ask('Where is my survey?');
    const row = rows.filter({ hasText: 'Where is my survey?' });
    await row.getByRole('button').click();
    await sheet.getByText('stays a line of its own.').waitFor();
    await sheet.getByRole('button', { name: /^Respond/ }).click();
    await sheet.getByText('Response is required').waitFor();
    assert.deepEqual(await violations(page), []);
    await sheet.getByRole('textbox', { name: /^Response/ }).fill('It is booked by tomorrow.');
    await sheet.getByText('Resolved', { exact: true }).click();
    await sheet.getByRole('button', { name: /^Respond/ }).click();
    await page.getByText('Response sent.').waitFor();
    await row.waitFor({ state: 'detached' });
    const ticket = await readTicket(id);
    assert.equal(ticket?.status, 'resolved');
    assert.equal(ticket?.adminResponse, 'It is booked by tomorrow.');
  });

  it('§2-8 support: show that a response was not sent, and keep the typed text', async () => {
    await ask('A ticket in bad weather');
    await page.goto(address);
    await rows.filter({ hasText: 'A ticket in bad weather' }).getByRole('button').click();
    await page.route('**/respond', (route) => route.abort());
    await sheet.getByRole('textbox', { name: /^Response/ }).fill('A long response.');
    await sheet.getByRole('button', { name: /^Respond/ }).click();
    await page.getByText('Sending the response failed.').waitFor();
    assert.equal(await sheet.getByRole('textbox', { name: /^Response/ }).inputValue(), 'A long response.');
    await page.unroute('**/respond');
    complaints.splice(0);
  });

  it('keep an unsent response while another ticket is open, and say that a page has no rows', async () => {
    await page.goto(`${address}?status=all`);
    await rows.first().getByRole('button').click();
    await sheet.getByRole('textbox').fill('Half a response');
    await sheet.getByRole('button', { name: 'Next ticket' }).click();
    await sheet.getByRole('heading', { name: /2/ }).waitFor();
    assert.equal(await sheet.getByRole('textbox').inputValue(), '');
    await sheet.getByRole('button', { name: 'Previous ticket' }).click();
    await sheet.getByRole('heading', { name: /1/ }).waitFor();
    assert.equal(await sheet.getByRole('textbox').inputValue(), 'Half a response');
    await page.goto(`${address}?status=all&page=99`);
    await page.getByRole('button', { name: 'First page' }).click();
    await rows.first().waitFor();
  });
  it('set the state of one ticket, and of selected ones at once', async () => {
    const [first, second] = [await ask('The first of two'), await ask('The second of two')];
    await page.goto(address);
    await rows.filter({ hasText: 'The first of two' }).getByRole('button').click();
    await sheet.getByText('In progress', { exact: true }).first().click();
    await sheet.getByRole('button', { name: 'Change state only' }).click();
    await page.getByText('The state is now: In progress.').waitFor();
    assert.equal((await readTicket(first.id))?.status, 'in_progress');

    await page.goto(`${address}?status=all&sort=-createdAt`);
    for (const subject of ['The first of two', 'The second of two'])
      await rows.filter({ hasText: subject }).getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Resolve 2…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Resolve 2', exact: true }).click();
    await dialog.getByText('2 resolved').waitFor();
    assert.deepEqual(await violations(page), []);
    for (const { id } of [first, second]) assert.equal((await readTicket(id))?.status, 'resolved');
  });

  it('leave no error in the console', () => assert.deepEqual(complaints, []));
});
