import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { sql } from '#platform/database.ts';
import { openPage, refuseCalls, violations, visit, widerThanWindow, wrongField } from './browser.ts';
import { operatorPage } from './operator-browser.ts';
import { signIn } from './sign-in.ts';

/** What operators take from members and give to them, with the demo world: chargebacks, suspensions, claims. */
const { site, headers, browser, panel, read, page, complaints, asMember } = await operatorPage({ after });

const rows = () => page.locator('tbody').getByRole('row');
const sheet = () => page.getByRole('complementary');
const dialog = () => page.getByRole('dialog');
const idOf = async (name: string): Promise<string> => (await read(`users?q=${name}`))[0].id;

describe('the chargebacks', () => {
  it('say that they did not load, and load at another try', async () => {
    await refuseCalls(page, '**/api/admin/chargebacks?*');
    await refuseCalls(page, '**/api/admin/chargebacks/stats');
    await page.goto(`${panel}/chargebacks`);
    await page.getByText('차지백 목록을 불러오지 못했습니다').waitFor();
    await page.getByText('통계를 불러오지 못했습니다').waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    await page.getByRole('button', { name: '다시 시도' }).click();
    await rows().first().waitFor();
    await page.getByRole('button', { name: 'English' }).click();
    await page.getByRole('heading', { level: 1, name: 'Chargebacks' }).waitFor();
    await rows().filter({ hasText: 'Admin Action' }).first().getByText('Manual', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Back to the admin panel' }).waitFor();
    complaints.splice(0);
  });

  it('§2-2 chargebacks: are booked by keyboard alone, and not without the specified fields', async () => {
    const id = await idOf('noah');
    await visit(page, `${panel}/chargebacks?from=${id}`);
    await dialog().getByRole('heading', { name: 'Manual Chargeback' }).waitFor();
    await dialog().getByText('noah.fischer@example.org').waitFor();
    const member = dialog().getByLabel('User ID');
    await member.fill('');
    await page.keyboard.press('Enter');
    for (const message of ['User ID is required', 'Amount must be a positive number', 'Reason is required'])
      await dialog().getByText(message).waitFor();
    await member.fill(id);
    await page.keyboard.press('Tab');
    await page.keyboard.type('90000.4');
    await page.keyboard.press('Tab');
    await page.keyboard.type('A VPN was in use');
    await dialog()
      .getByText(/can’t withdraw or flip until new earnings fill/)
      .waitFor();
    await page.setViewportSize({ width: 390, height: 900 });
    assert.equal(await widerThanWindow(page), 0);
    assert.deepEqual(await violations(page), []);
    await page.setViewportSize({ width: 1440, height: 900 });
    await dialog().getByRole('button', { name: 'Take back 90,000 P' }).press('Enter');
    await page.getByText('90,000 P taken back from noah.fischer@example.org.').waitFor();
    await rows().first().getByText('VPN Usage').waitFor();
    assert.equal((await read('chargebacks'))[0].amount, '-90000');
    await rows().first().getByRole('button').click();
    await sheet().getByText('By an operator').waitFor();
    assert.deepEqual(await violations(page), []);
  });

  it('are booked once when the answer is lost and the button is pressed again', async () => {
    await visit(page, `${panel}/chargebacks?from=${await idOf('liam')}`);
    const before = Number((await read('chargebacks/stats')).totalChargebacks);
    await page.route('**/api/admin/chargebacks/manual', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await dialog().getByLabel('Amount (points)').fill('7');
    await dialog().getByLabel('Reason').fill('Paid twice');
    await dialog().getByRole('button', { name: 'Take back 7 P' }).click();
    await dialog()
      .getByText(/^Chargeback Failed\./)
      .waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    await dialog().getByRole('button', { name: 'Take back 7 P' }).click();
    await page.getByText('7 P taken back from liam.murphy@example.org.').waitFor();
    assert.equal(Number((await read('chargebacks/stats')).totalChargebacks), before + 1);
    complaints.splice(0);
  });

  it('§2-8 chargebacks: can be tested with the label of a provider, and say why one failed', async () => {
    await visit(page, `${panel}/chargebacks`);
    await page.getByText('Where providers send their chargebacks').click();
    await page.getByText(/api\/webhooks\/chargeback\/theoremreach/).waitFor();
    await page.getByRole('button', { name: 'Test Chargeback…' }).click();
    await dialog().getByLabel('User ID').fill('999999999');
    await dialog().getByLabel('Amount (points)').fill('5');
    await dialog().getByLabel('Reason').fill('A test');
    await dialog().getByRole('button', { name: 'Take back 5 P' }).click();
    await dialog().getByText('Test Failed. There is no such member.').waitFor();
    await wrongField(page, 'There is no such member.');
    await dialog()
      .getByLabel('User ID')
      .fill(await idOf('liam'));
    await dialog().getByRole('button', { name: 'Take back 5 P' }).click();
    await page.getByText('5 P taken back from liam.murphy@example.org.').waitFor();
    await rows().first().getByText('CPX Research').waitFor();
    complaints.splice(0);
  });
});

describe('what the rules found', () => {
  it('§2-2 fraud dashboard: stands with its figures and evidence, and leads to the members', async () => {
    const ids = await Promise.all(['noah', 'liam', 'theo'].map(idOf));
    await site.owner.rows(sql`
      insert into risk.activities (rule, subject, size, level, member_id, member_ids, kinds, address, created_at)
      select 'shared-device', 'f00d 203.0.113.8', 9, 'high', m[1], m, '{device}', '203.0.113.8', now
      from platform.business_now() now, (select ${ids.map(Number)}::integer[] as m) given`);
    await site.owner.rows(sql`
      insert into risk.detections (method, shared_identifier, size, primary_member_id, related_member_ids, kinds,
        risk_score, confidence, created_at)
      select 'shared-payout-address', 'LTC-shared', 9, m[1], m[2:3], '{payout-address,device}', 85, 'high', now
      from platform.business_now() now, (select ${ids.map(Number)}::integer[] as m) given`);
    for (const id of ids.map(Number))
      await site.owner.rows(sql`
        with now as (select platform.business_now() as at), shared as (
          insert into withdrawals.destinations (member_id, method, destination, first_used_at)
          select ${id}, 'litecoin', 'LTC-shared', at from now)
        insert into access.devices (fingerprint_hash, member_id, address, fields, first_seen_at, last_seen_at)
        select sha256('one browser'), ${id}, '8.8.4.4', '{}', at, at from now`);
    await visit(page, `${panel}/fraud`);
    await page.getByText('3 members used one browser at one IP address.').waitFor();
    await page.getByText('Shared wallets').waitFor();
    const evidence = page.getByRole('button', { name: 'Evidence' });
    await evidence.press('Enter');
    assert.equal(await evidence.getAttribute('aria-expanded'), 'true');
    await page.getByText('One kind of evidence alone is not sure.').waitFor();
    assert.deepEqual(await violations(page), []);
    await page.setViewportSize({ width: 390, height: 900 });
    assert.equal(await widerThanWindow(page), 0);
    assert.deepEqual(await violations(page), []);
    await page.setViewportSize({ width: 1440, height: 900 });
    assert.equal(await page.getByRole('link', { name: 'Theo Laurent' }).count(), 1);
  });

  it('§2-7 fraud: a rule is switched to shadow, and what it finds there is marked', async () => {
    await site.owner.rows(sql`
      insert into risk.activities (rule, subject, size, level, member_id, member_ids, kinds, is_shadow, created_at)
      select 'same-mailbox', 'cafe', 7, 'high', m, array[m], '{mailbox}', true, platform.business_now()
      from (select ${Number(await idOf('noah'))}::integer as m) given`);
    await visit(page, `${panel}/fraud`);
    await page.locator('tr', { hasText: 'Same mailbox' }).getByText('Shadow').waitFor();
    await page.getByRole('button', { name: 'Rule All' }).click();
    await page.getByRole('menuitemradio', { name: 'Same mailbox' }).click();
    await page.getByText('3 members used one browser at one IP address.').waitFor({ state: 'detached' });
    await page.locator('tr', { hasText: 'Same mailbox' }).waitFor();
    await page.getByRole('link', { name: 'Rules' }).click();
    const mode = page.getByRole('radiogroup', { name: 'Mode of “Same mailbox”' });
    await mode.getByRole('radio', { name: 'On', exact: true }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByText('“Same mailbox” runs in shadow.').waitFor();
    assert.deepEqual(await violations(page), []);
    await page.setViewportSize({ width: 390, height: 900 });
    assert.equal(await widerThanWindow(page), 0);
    assert.deepEqual(await violations(page), []);
    await page.setViewportSize({ width: 1440, height: 900 });
    const [first] = (await read('fraud/rules')).filter(({ mode }: { mode: string }) => mode !== 'on');
    assert.deepEqual([first.rule, first.mode], ['same-mailbox', 'shadow']);
  });

  it('§2-2 fraud dashboard: lists the sessions of high risk with why, and leads to the member', async () => {
    await site.owner.rows(sql`
      insert into access.sessions (token_hash, id, member_id, created_at, last_seen_at, user_agent, address,
        has_passed_gate, risk_score, risk_reasons)
      select sha256('risky'), gen_random_uuid(), ${Number(await idOf('noah'))}, now, now, 'Firefox/140.0',
        '203.0.113.8', false, 85, '[{"reason": "detection", "points": 85}]'
      from platform.business_now() now`);
    await visit(page, `${panel}/fraud?tab=sessions`);
    await rows().filter({ hasText: '203.0.113.8' }).getByText('Named by an open detection (+85)').waitFor();
    assert.deepEqual(await violations(page), []);
    await page.setViewportSize({ width: 390, height: 900 });
    assert.equal(await widerThanWindow(page), 0);
    assert.deepEqual(await violations(page), []);
    await page.setViewportSize({ width: 1440, height: 900 });
    await rows().filter({ hasText: '203.0.113.8' }).getByRole('link', { name: 'Noah Fischer' }).click();
    await page.waitForURL(/users\/member/);
  });

  it('§2-2 detections of multiple accounts: one is confirmed once, and nobody is suspended', async () => {
    const before = (await read('suspensions')).length;
    await visit(page, `${panel}/multi-account?tab=detections`);
    await page.getByRole('heading', { level: 1, name: 'Multi-account detections' }).waitFor();
    // The site looks for others meanwhile, so that this row need not be the only one.
    const row = rows().filter({ has: page.getByText('85', { exact: true }) });
    await row.getByRole('button').click();
    await sheet().getByText('Network address', { exact: true }).waitFor();
    assert.deepEqual(await violations(page), []);
    await page.setViewportSize({ width: 390, height: 900 });
    assert.equal(await widerThanWindow(page), 0);
    await page.setViewportSize({ width: 1440, height: 900 });
    await sheet().getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('The detection is confirmed.').waitFor();
    await row.waitFor({ state: 'detached' });
    const found: { sharedIdentifier: string; status: string }[] = await read('multi-account-detections');
    const decided = found.filter(({ sharedIdentifier }) => sharedIdentifier === 'LTC-shared');
    assert.deepEqual(
      decided.map(({ status }) => status),
      ['confirmed'],
    );
    assert.equal((await read('suspensions')).length, before);
  });
});

describe('the blocks', () => {
  it('§2-7 fraud: an address is blocked by keyboard, listed, and lifted', async () => {
    await visit(page, `${panel}/fraud?tab=ip`);
    await page.getByRole('heading', { level: 1, name: 'Fraud' }).waitFor();
    await page.getByText('No address is blocked').waitFor();
    const begin = page.getByRole('button', { name: 'Block IP…' });
    assert.equal(await begin.isDisabled(), true);
    await page.getByLabel('IP address', { exact: true }).fill('203.0.113.8');
    assert.equal(await begin.isDisabled(), true, 'a reason is missing');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Forty accounts in a night');
    await page.keyboard.press('Enter');
    await dialog().getByRole('heading', { name: 'Block 203.0.113.8?' }).waitFor();
    await dialog()
      .getByText(/It ends (?!when)/)
      .waitFor();
    assert.deepEqual(await violations(page), []);
    await dialog().getByRole('button', { name: 'Block IP' }).press('Enter');
    await page.getByText('203.0.113.8 is blocked.', { exact: true }).waitFor();
    await rows().getByText('Forty accounts in a night').waitFor();
    await page.getByRole('link', { name: 'Block IP 1' }).waitFor();
    await page.setViewportSize({ width: 390, height: 900 });
    assert.equal(await widerThanWindow(page), 0);
    assert.deepEqual(await violations(page), []);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('button', { name: 'Lift the block of 203.0.113.8' }).click();
    await dialog().getByRole('button', { name: 'Lift the block' }).click();
    await page.getByText('No address is blocked').waitFor();
    await page.getByRole('button', { name: 'Also ended ones' }).click();
    await rows().getByText('Ended').waitFor();
  });

  it('§2-8 fraud: failures are said letter by letter, and the text is kept', async () => {
    await page.keyboard.press('3');
    await page.getByLabel('E-mail domain', { exact: true }).fill('not a domain');
    await page.getByLabel('Reason').fill('Thrown away after a day');
    await page.getByRole('button', { name: 'Block domain…' }).click();
    await dialog().getByRole('button', { name: 'Block domain' }).click();
    await page.getByRole('alert').getByText('Failed to block domain').waitFor();
    await wrongField(page, 'This is no domain. Write it like tempmail.example.');
    assert.equal(await page.getByLabel('Reason').inputValue(), 'Thrown away after a day');
    await page.getByRole('link', { name: /^Block IP/ }).click();
    await page.getByLabel('IP address', { exact: true }).fill('127.0.0.1');
    await page.getByLabel('Reason').fill('My own');
    await page.getByRole('button', { name: 'Block IP…' }).click();
    await dialog().getByRole('button', { name: 'Block IP' }).click();
    await page.getByRole('alert').getByText('Failed to block IP').waitFor();
    await wrongField(page, 'You or another operator are logged in from this address. It can’t be blocked.');
    complaints.splice(0);
  });
});

describe('the suspensions', () => {
  it('§2-2 suspensions: begin on the member’s page, by keyboard alone', async () => {
    await visit(page, `${panel}/users/member?id=${await idOf('theo')}`);
    await page.getByRole('tablist').waitFor();
    await page.keyboard.press('Shift+KeyS');
    await sheet().getByRole('heading', { name: 'Act on Theo Laurent' }).waitFor();
    await sheet().getByText('Walls, flips and bonus are closed, and credits wait.').waitFor();
    await sheet().getByLabel('Reason').fill('Two accounts on one device');
    await sheet().getByRole('button', { name: 'Suspend', exact: true }).press('Enter');
    await page.getByText('Theo Laurent is suspended.').waitFor();
    await page.getByText('Two accounts on one device').first().waitFor();
    assert.equal((await read('suspensions'))[0].suspensionType, 'earnings_blocked');
  });

  it('§2-8 suspensions: fail with a toast and at the fields, in Korean too', async () => {
    await visit(page, `${panel}/multi-account`);
    await page.getByRole('heading', { level: 1, name: 'Suspensions' }).waitFor();
    await page.getByRole('button', { name: '한국어' }).click();
    await page.getByRole('heading', { level: 1, name: '회원 정지' }).waitFor();
    await page.getByRole('button', { name: '회원 정지…' }).click();
    assert.deepEqual(await violations(page), []);
    await dialog().getByRole('button', { name: '정지', exact: true }).click();
    await page.getByRole('alert').getByText('사용자 정지에 실패했습니다').waitFor();
    // At the fields too, the first of which has the focus.
    await dialog().getByText('회원 번호나 이메일을 입력해 주세요').waitFor();
    await dialog().getByText('사유를 입력해 주세요').waitFor();
    await page.keyboard.type('nobody@example.com');
    await dialog().getByLabel('사유').fill('A test');
    await page.keyboard.press('Control+Enter');
    await wrongField(page, '그런 회원은 없습니다.');
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'English' }).click();
    complaints.splice(0);
  });

  it('§2-4 suspension: are lifted with a reason, and not without one', async () => {
    await rows().first().getByText('Active').waitFor();
    await rows().first().getByRole('button').click();
    await sheet().getByRole('button', { name: 'Lift…' }).click();
    const lift = dialog().getByRole('button', { name: 'Lift the suspension' });
    assert.equal(await lift.isDisabled(), true);
    await dialog().getByLabel('Reason').fill('A character \u0007');
    await lift.click();
    await wrongField(page, 'The text has a character that can’t be stored.');
    await dialog().getByLabel('Reason').fill('The devices differ');
    await lift.press('Enter');
    await page.getByText('The suspension of Theo Laurent is lifted.').waitFor();
    await rows().first().getByText('Lifted', { exact: true }).waitFor();
    await sheet().getByText('The devices differ').waitFor();
    assert.deepEqual(await violations(page), []);
  });
});

describe('the claims', () => {
  /** Opens a wall as the demo member, some hours ago. */
  const open = async (provider: string, hoursAgo: number) => {
    const path = `${site.origin}/api/offerwalls/${provider}/open`;
    assert.equal((await (await asMember()).post(path, { headers })).status(), 204);
    await site.owner.rows(sql`
      update earning.openings set opened_at = opened_at - make_interval(hours => ${hoursAgo})
      where id = (select max(id) from earning.openings)`);
  };

  it('are filed after the usual time, asked and booked by an operator, and the member sees each step', async () => {
    await open('wannads', 100);
    await open('kiwiwall', 1);
    const member = await openPage(browser, { reducedMotion: 'reduce' });
    await signIn(member.context, site, site.member);
    const earn = member.page;
    await visit(earn, `${site.origin}/earn`);
    await earn.getByRole('button', { name: 'A credit didn’t arrive', exact: true }).click();
    const form = earn.getByRole('dialog', { name: 'A credit that didn’t arrive' });
    assert.equal(await form.getByRole('radio', { name: /Wannads/ }).isChecked(), true);
    await form.getByRole('radio', { name: /KiwiWall/ }).check();
    await form.getByText('KiwiWall usually books within 72 hours.').waitFor();
    await form.getByRole('radio', { name: /Wannads/ }).check();
    await form.getByLabel('How many points were promised?').fill('900');
    await form.getByLabel('What did you do, and when did you finish?').fill('Level 20, on Monday.');
    assert.deepEqual(await violations(earn), []);
    await form.getByRole('button', { name: 'File this claim' }).click();
    const claims = earn.getByRole('region', { name: 'Credits that didn’t arrive' });
    await claims.getByText('We ask Wannads').waitFor();

    await visit(page, `${panel}/claims`);
    await rows().filter({ hasText: 'Wannads' }).getByRole('button').click();
    await sheet().getByText('Level 20, on Monday.').waitFor();
    await sheet().getByText('No credit has come.').waitFor();
    assert.deepEqual(await violations(page), []);
    await sheet().getByRole('button', { name: 'Provider asked' }).click();
    await claims.getByText('Day 1', { exact: true }).waitFor();

    await visit(page, `${panel}/claims?state=asked`);
    await rows().filter({ hasText: 'Wannads' }).getByRole('button').click();
    await sheet().getByLabel('Points to book').fill('0');
    await sheet().getByRole('button', { name: /^Book/ }).click();
    await sheet().getByText('Enter whole points from 1 to 10,000,000.').waitFor();
    await sheet().getByLabel('Points to book').fill('850');
    await sheet().getByRole('button', { name: 'Book 850 P' }).click();
    await claims.getByText('850 P booked').waitFor();
    assert.deepEqual(await violations(earn), []);
    await earn.locator('header').getByRole('button', { name: /^Chat/ }).click();
    const side = earn.locator('#side-panel');
    await side.getByRole('tab', { name: /^Support/ }).click();
    await side.locator('summary').filter({ hasText: 'Missing credit, Wannads' }).click();
    await side.getByText('Level 20, on Monday.').waitFor();
    await side.getByText('850 P booked').waitFor();
    await side.getByRole('button', { name: 'New request' }).click();
    const request = earn.getByRole('dialog', { name: 'New request' });
    await request.getByRole('radio', { name: 'A credit that didn’t arrive' }).check();
    await request.getByText('KiwiWall usually books within 72 hours.').waitFor();
    assert.deepEqual(await violations(earn), []);
    const [row] = await read('claims?state=booked');
    assert.deepEqual([row.amount, row.userEmail], ['850', site.member.email]);
    assert.deepEqual(member.complaints, []);
    await member.context.close();
  });
});

it('leaves no error in the console', () => assert.deepEqual(complaints, []));
