import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, describe, it } from 'node:test';
import { sql, sqlText } from '#platform/database.ts';
import { acceptClock, believeClock, removeInPieces } from '#platform/retention.ts';
import { offerMethod } from '../test/offered-methods.ts';
import { newTransaction, startPostbacks, values } from '../test/postback-site.ts';
import { tablesWith } from '../test/tables-with.ts';
import { siteChecks } from './books.ts';
import { beginBroadcast } from './broadcasts/broadcasts.ts';
import { runChecks } from './ledger/ledger.ts';
import { addNotice } from './notices/notices.ts';
import { openTicket, respondToTicket } from './support/support.ts';
import { removals } from './work.ts';

/** What is removed when, with the clock moved. Every feature removes its own rows. */
const { site, send } = await startPostbacks({ after });
const { platform, owner } = site;
const operator = await site.member({ role: 'admin' });
const person = await site.member({ balancePoints: 5_000n, isPhoneVerified: true });
const other = await site.member();
await offerMethod(platform, 'litecoin');

const countOf = async (table: string): Promise<number> =>
  (await owner.one<{ rows: number }>(sqlText(`select count(*)::integer as rows from ${table}`))).rows;
const passDays = (days: number) =>
  owner.rows(sql`update platform.clock set offset_seconds = offset_seconds + ${days * 86_400}`);
const removeOld = async () => {
  const { signal } = new AbortController();
  for (const remove of Object.values(removals)) await remove(platform, signal);
};
const tables = {
  postbacks: 'earning.postbacks',
  tickets: 'support.tickets',
  claims: 'claims.claims',
  responses: 'support.responses',
  ticketEvents: 'support.events',
  behaviour: 'access.behaviour',
  reviews: 'access.registration_reviews',
  notices: 'notices.notices',
  messages: 'chat.messages',
  broadcasts: 'broadcasts.broadcasts',
  mails: 'broadcasts.mails',
  bounces: 'broadcasts.addresses',
};
const counts = async () =>
  Object.fromEntries(
    await Promise.all(Object.entries(tables).map(async ([name, table]) => [name, await countOf(table)])),
  );

/** What the program keeps and for how long, which the page of privacy must say too. */
const kept = { rawCallsDays: 400, chatDays: 365, recordsYears: 3, withdrawalsYears: 5 };
const daysOf = (years: number) => years * 365;

const address = 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9';

async function live(): Promise<string> {
  await send('cpx', values('cpx', person.id, newTransaction(), '180'));
  const { id } = await openTicket(platform, person.id, { subject: 'Points', message: 'Where are they?' });
  const { channelId } = (await site.call('GET', '/api/support/tickets', { as: person })).body[0];
  for (const channel of ['1', channelId]) {
    const message = { channelId: channel, content: 'Where are they?' };
    await site.call('POST', '/api/chat/messages', { as: person, body: message });
  }
  await respondToTicket(platform, operator.id, id, { response: 'Here.', status: 'closed' });
  await owner.rows(sql`
    insert into earning.openings (member_id, provider, opened_at)
    values (${person.id}, 'kiwiwall', platform.business_now() - interval '29 days')`);
  const [{ activityId }] = (await site.call('GET', '/api/support/claims/openings', { as: person })).body;
  const claim = { activityId, text: 'Nothing came' };
  assert.equal((await site.call('POST', '/api/support/claims', { as: person, body: claim })).status, 201);
  await site.call('POST', '/api/security/track-behavior', { as: person, body: { action: 'click' } });
  await owner.rows(sql`
    insert into access.registration_reviews (email, facts, created_at)
    values ('waited@example.com', '{}', platform.business_now())`);
  await platform.database.transaction((tx) =>
    addNotice(tx, person.id, 'held', { provider: 'cpx', amount: '1', subject: '' }),
  );
  await beginBroadcast(platform, operator.id, { subject: 'A short pause', content: 'On Monday' });
  await owner.rows(sql`
    insert into broadcasts.addresses values ('gone@example.com', 1, platform.business_now())`);
  const body = {
    amountPoints: '1000',
    method: 'litecoin',
    recipientInfo: { address },
  };
  const asked = await site.call('POST', '/api/withdrawal', { as: person, body });
  assert.equal(asked.status, 201, JSON.stringify(asked.body));
  const path = `/api/admin/withdrawals/${asked.body.id}/reject`;
  assert.equal((await site.call('POST', path, { as: operator, body: { reason: 'Not yours' } })).status, 200);
  return asked.body.id;
}

describe('what is older than its time', () => {
  it('is removed, and what is not stays', async () => {
    const first = await live();
    const mailed = { broadcasts: 1, mails: 4, bounces: 1 };
    const records = {
      tickets: 1,
      claims: 1,
      responses: 1,
      ticketEvents: 1,
      behaviour: 1,
      reviews: 1,
      notices: 2,
      ...mailed,
    };
    const one = { postbacks: 1, messages: 3, ...records };
    await passDays(kept.chatDays - 1);
    await removeOld();
    assert.deepEqual(await counts(), one);
    await passDays(kept.rawCallsDays - kept.chatDays);
    await removeOld();
    assert.deepEqual(await counts(), { ...one, messages: 2 }, 'the chat after 365 days');
    await passDays(2);
    await removeOld();
    assert.deepEqual(
      await counts(),
      { ...one, postbacks: 0, messages: 2 },
      'raw calls after 400 days, the chat before',
    );
    await passDays(daysOf(kept.recordsYears) - kept.rawCallsDays - 1 - 2);
    await removeOld();
    assert.deepEqual(await counts(), { ...one, postbacks: 0, messages: 2 });
    await passDays(4);
    await removeOld();
    const none = {
      postbacks: 0,
      tickets: 0,
      claims: 0,
      responses: 0,
      ticketEvents: 0,
      behaviour: 0,
      reviews: 0,
      notices: 0,
      messages: 0,
      broadcasts: 0,
      mails: 0,
      bounces: 0,
    };
    assert.deepEqual(await counts(), none, 'tickets, behaviour and notices after 3 years');
    assert.equal(await countOf(`access.sessions where member_id = ${other.id}`), 0, 'sign-ins after 3 years');

    const details = async () =>
      owner.one<{ destination: string; reason: string; amount: bigint; isEmptied: boolean }>(sql`
        select destination, reason, amount_points as amount, details_removed_at is not null as "isEmptied"
        from withdrawals.withdrawals where id = ${first}`);
    assert.equal((await details()).isEmptied, false);
    await passDays(daysOf(kept.withdrawalsYears - kept.recordsYears) + 2);
    await removeOld();
    assert.deepEqual(await details(), {
      destination: `removed ${first}`,
      reason: 'removed',
      amount: 1_000n,
      isEmptied: true,
    });
    const movements = await countOf(`ledger.movements where member_id = ${person.id}`);
    assert.equal(movements, 4, 'the grant, the credit, the hold and its return stay for ever');
    assert.deepEqual(await tablesWith(owner, address), []);
    assert.deepEqual(
      await runChecks(owner, siteChecks),
      [],
      'the audit still finds every withdrawal as it was made',
    );
  });
  for (const { language, years, days } of [
    { language: 'en', years: 'years', days: 'days' },
    { language: 'ko', years: '년', days: '일' },
  ])
    it(`§2-9 retention: is named with its time by the page of privacy: ${language}`, () => {
      const page = readFileSync(`${import.meta.dirname}/../web/content/${language}/privacy.md`, 'utf8');
      const times = [...page.matchAll(/^\| .+ \| (.+) \|$/gm)].map(([, time = '']) => time);
      const saying = (amount: number, unit: string) =>
        times.filter((time) => new RegExp(`^${amount} ?${unit}`).test(time)).length;
      assert.deepEqual(
        [
          saying(kept.recordsYears, years),
          saying(kept.withdrawalsYears, years),
          saying(kept.rawCallsDays, days),
          saying(kept.chatDays, days),
        ],
        [6, 1, 1, 1],
        times.join('\n'),
      );
    });

  it('leaves the member’s pages of notices without a gap', async () => {
    const member = await site.member();
    const add = () =>
      platform.database.transaction((tx) =>
        addNotice(tx, member.id, 'held', { provider: 'cpx', amount: '1', subject: '' }),
      );
    await add();
    await add();
    await passDays(800);
    await add();
    await passDays(400);
    await removeOld();
    const { rows } = await owner.one<{ rows: unknown }>(sql`
      select jsonb_build_array(notice_count, removed_count, unread_count) as rows
      from notices.member_counts where member_id = ${member.id}`);
    assert.deepEqual(rows, [3, 2, 1]);
  });
  it('is removed only if this node’s clock agrees that it is old', async () => {
    let removedCount = 0;
    const removeAt = (now: Date) =>
      removeInPieces(platform.database, new AbortController().signal, async () => (removedCount += 1), {
        now,
      });
    const hours = (count: number) => new Date(Date.now() + count * 3_600_000);
    await assert.rejects(
      removeAt(hours(-2)),
      /^Error: The database’s clock is 7\d{3} s ahead of this node’s clock/,
    );
    assert.equal(removedCount, 0);
    // With a node's clock ahead, the database's is the earlier one.
    await removeAt(hours(2));
    assert.equal(removedCount, 1);
  });
  it('is removed at most a day too early by a clock that has jumped, also where there is one clock', async () => {
    const { database, health } = platform;
    const start = Date.now();
    const at = (hours: number) => new Date(start + hours * 3_600_000);
    const trouble = () => health.troubles().find(({ name }) => name === 'clock')?.trouble;
    /** Whether a removal runs, with one clock for the database and the node. */
    const removesAt = async (now: Date) => {
      let isRemoved = false;
      const remove = async () => {
        isRemoved = true;
        return 0;
      };
      await removeInPieces(database, new AbortController().signal, remove, { now, databaseNow: now });
      return isRemoved;
    };
    const look = (hours: number) => believeClock(platform, at(hours));
    await acceptClock(owner);
    await look(0);
    assert.deepEqual([await removesAt(at(0)), trouble()], [true, undefined]);
    await look(23);
    assert.deepEqual([await removesAt(at(23)), trouble()], [true, undefined], 'a pause of a night');

    const ahead = 5 * 365 * 24;
    await look(ahead);
    await look(ahead);
    assert.equal(await removesAt(at(ahead)), false);
    assert.match(
      trouble() ?? '',
      /^The database’s clock has jumped 182\d days ahead\. Until it is believed, nothing is removed by its age\./,
    );
    for (let hour = 1; hour <= 24 * 14; hour += 1) await look(ahead + hour);
    assert.equal(await removesAt(at(ahead + 24 * 14)), false, 'not within two weeks either');
    await look(30);
    assert.match(
      trouble() ?? '',
      /^The database’s clock is \d+ days behind what it was before\. If it is right now/,
    );

    await acceptClock(owner);
    await look(0);
    assert.deepEqual([await removesAt(at(0)), trouble()], [true, undefined], 'an operator repaired it');
    await look(24 * 10);
    assert.equal(await removesAt(at(24 * 10)), false, 'a pause of ten days');
    for (let hour = 1; hour <= 10; hour += 1) await look(24 * 10 + hour);
    assert.deepEqual(
      [await removesAt(at(24 * 10 + 10)), trouble()],
      [true, undefined],
      'is made up in hours',
    );
    await acceptClock(owner);
  });
  it('keeps raw calls for as long as the site says', async () => {
    await send('cpx', values('cpx', other.id, newTransaction(), '180'));
    const change = await site.call('PUT', '/api/admin/site', {
      as: await site.member({ role: 'admin' }),
      body: { postbackDays: 30 },
    });
    assert.equal(change.status, 200, JSON.stringify(change.body));
    await new Promise((resolve) => setTimeout(resolve, 1_050));
    await passDays(29);
    await removeOld();
    assert.equal(await countOf(tables.postbacks), 1);
    await passDays(2);
    await removeOld();
    assert.equal(await countOf(tables.postbacks), 0);
  });
});
