import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { type Found, search } from '#contract/panel.ts';
import { openDatabase, sql } from '#platform/database.ts';
import { offerMethod } from '../test/offered-methods.ts';
import { newTransaction, startPostbacks, takenBack, values } from '../test/postback-site.ts';
import { tablesReadBeyond } from '../test/rows-read.ts';
import { searchEarnings, searchPostbacks, searchQuarantine } from './earning/search.ts';
import { searchMembers } from './members/members.ts';
import { searchTermsOf } from './platform/http/operator-list.ts';
import { searchTickets } from './support/support.ts';
import { searchWithdrawals } from './withdrawals/search.ts';

/** The operators' frame over HTTP, with all features. */
const { site, send } = await startPostbacks({ after });
const operator = await site.member({ role: 'admin' });
const member = await site.member({ balancePoints: 9_000n, isPhoneVerified: true });
const read = (path: string, as = operator) => site.call('GET', path, { as });

await offerMethod(site.platform, 'litecoin');
const ADDRESS = 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9';
const askedFor = await site.call('POST', '/api/withdrawal', {
  as: member,
  body: { amountPoints: '2000', method: 'litecoin', recipientInfo: { address: ADDRESS } },
});
assert.equal(askedFor.status, 201, JSON.stringify(askedFor.body));
const heldTransaction = newTransaction();
assert.equal((await send('cpx', values('cpx', member.id, heldTransaction, '12000'))).status, 200);
const lostTransaction = newTransaction();
assert.equal((await send('cpx', values('cpx', 'nobody', lostTransaction))).status, 200);
const openTicket = (subject: string) =>
  site.call('POST', '/api/support/tickets', { as: member, body: { subject, message: 'Where is it?' } });
const ticket = await openTicket('My points');
assert.equal((await openTicket('My payout')).status, 201);

describe('what waits', () => {
  it('is counted in each feature, until it is decided or answered', async () => {
    assert.deepEqual((await read('/api/admin/waiting')).body, {
      withdrawals: 1,
      approvals: 1,
      tickets: 2,
      claims: 0,
      grants: 0,
      registrations: 0,
      quarantine: 1,
      payouts: 0,
      chatReports: 0,
      appeals: 0,
    });
    const resolved = await site.call('PATCH', `/api/admin/support/tickets/${ticket.body.id}/status`, {
      as: operator,
      body: { status: 'in_progress' },
    });
    assert.equal(resolved.status, 200);
    const [{ id }] = (await read(`/api/admin/quarantine?q=${lostTransaction}`)).body;
    const dismissed = await site.call('POST', `/api/admin/quarantine/${id}/resolve`, {
      as: operator,
      body: { action: 'dismiss', note: 'Nobody has this id' },
    });
    assert.equal(dismissed.status, 200);
    assert.deepEqual((await read('/api/admin/waiting')).body, {
      withdrawals: 1,
      approvals: 1,
      tickets: 1,
      claims: 0,
      grants: 0,
      registrations: 0,
      quarantine: 0,
      payouts: 0,
      chatReports: 0,
      appeals: 0,
    });
  });

  it('is told to operators only', async () => {
    assert.equal((await site.call('GET', '/api/admin/waiting')).status, 401);
    const refused = await read('/api/admin/waiting', member);
    assert.deepEqual([refused.status, refused.problem.code], [403, 'forbidden']);
  });
});

const find = async (q: string): Promise<Found[]> => {
  const answer = await read(`/api/admin/search?q=${encodeURIComponent(q)}`);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return search.reply.parse(answer.body);
};
const named = async (firstName: string, lastName: string | null) => {
  const one = await site.member();
  await site.owner.rows(
    sql`update members.members set first_name = ${firstName}, last_name = ${lastName} where id = ${one.id}`,
  );
  return one;
};
const PANEL = '/management-panel-x7k9w';
const ofMember = { kind: 'member', id: String(member.id), title: `Test, ${member.email}` };
const linkOfMember = `${PANEL}/users/member?id=${member.id}`;

describe('the search of a list', () => {
  it('finds what belongs to a member of a name', async () => {
    const membersOf = async (q: string) =>
      (await read(`/api/admin/users?q=${q}`)).body.map(({ id }: { id: string }) => id);
    assert.ok((await membersOf('test')).includes(String(member.id)));
    assert.deepEqual(await membersOf('est'), []);
    const withdrawalsOf = async (q: string) =>
      (await read(`/api/admin/withdrawals-data?q=${q}`)).body.pagination.totalCount;
    assert.deepEqual([await withdrawalsOf('tes'), await withdrawalsOf('est')], [1, 0]);
    for (const [path, count] of Object.entries({
      '/api/admin/pending-earnings': 1,
      '/api/admin/support-tickets': 2,
      '/api/admin/claims': 0,
      '/api/admin/chargebacks': 0,
      '/api/admin/suspensions': 0,
      '/api/admin/chat-bans': 0,
      '/api/admin/manual-rewards': 0,
      '/api/admin/decisions': 0,
      '/api/admin/decisions/made': 1,
      '/api/admin/decisions/absences': 0,
      '/api/admin/payouts': 0,
    })) {
      const { status, body } = await read(`${path}?q=test`);
      const rows = Array.isArray(body) ? body : Object.values(body).find(Array.isArray);
      assert.deepEqual([status, rows?.length], [200, count], path);
    }
  });
});

describe('the search', () => {
  it('finds a member by id, by e-mail address in any case, and by phone number as people write it', async () => {
    const { phone } = await site.owner.one<{ phone: string }>(
      sql`select phone_number as phone from members.members where id = ${member.id}`,
    );
    const spelled = `${phone.slice(0, 3)} (${phone.slice(3, 5)}) ${phone.slice(5)}`;
    for (const q of [String(member.id), ` ${member.email.toUpperCase()} `, phone, phone.slice(1), spelled])
      assert.deepEqual(await find(q), [{ ...ofMember, link: linkOfMember }], q);
  });

  it('finds a member by name: either order, two syllables, the beginning of a word', async () => {
    const inParts = await named('서윤', '김');
    const inOne = await named('박지훈', null);
    const latin = await named('Mary-Ann', 'O’Connor');
    const idsOf = async (q: string) => (await find(q)).map(({ kind, id }) => [kind, Number(id)]);
    for (const q of ['서윤', '김서', '김서윤', '김 서윤', '서윤 김', '서윤'.normalize('NFD')])
      assert.deepEqual(await idsOf(q), [['member', inParts.id]], q);
    for (const q of ['지훈', '박지', '박 지훈', '지훈 박'])
      assert.deepEqual(await idsOf(q), [['member', inOne.id]], q);
    for (const q of ['mary', 'Connor Mary', 'ann o’con', 'MARY ANN'])
      assert.deepEqual(await idsOf(q), [['member', latin.id]], q);
    for (const q of ['윤김', '김지훈', 'ary', 'mary connors', '김']) assert.deepEqual(await find(q), [], q);
    assert.equal((await find('김서윤'))[0]?.title, `김서윤, ${inParts.email}`);
  });

  it('finds a withdrawal by id and by address in any case, and opens it in the list that has it', async () => {
    const withdrawal = {
      kind: 'withdrawal',
      id: askedFor.body.id,
      title: 'Test, 2,000 P',
      link: `${PANEL}/withdrawals?open=${askedFor.body.id}`,
    };
    const id: string = askedFor.body.id;
    const starts = [id.slice(0, 8), id.slice(0, 9).toUpperCase(), id.slice(0, 15), id.replaceAll('-', '')];
    for (const q of [id, id.toUpperCase(), ...starts, ADDRESS, ADDRESS.toUpperCase()])
      assert.deepEqual(await find(q), [withdrawal], q);
    for (const q of starts)
      assert.equal((await read(`/api/admin/withdrawals-data?q=${q}`)).body.pagination.totalCount, 1, q);
    for (const q of [id.slice(0, 7), `${id.slice(0, 4)}-${id.slice(4, 8)}`, `${id}0`, `${id.slice(0, 8)}g`])
      assert.deepEqual(await find(q), [], q);
    const approved = await site.call('POST', `/api/admin/withdrawals/${askedFor.body.id}/reject`, {
      as: operator,
      body: { reason: 'Not yours' },
    });
    assert.equal(approved.status, 200);
    const reasons = '/api/admin/audit/reasons?action=';
    assert.deepEqual((await read(`${reasons}withdrawal.reject`)).body, ['Not yours']);
    assert.deepEqual((await read(`${reasons}earning.reject`)).body, []);
    const link = `${PANEL}/withdrawals?status=all&open=${askedFor.body.id}`;
    assert.deepEqual(await find(ADDRESS), [{ ...withdrawal, link }]);
  });

  it('finds five of a kind, and names the list that finds all by the same text', async () => {
    const shared = 'ltc1qshared';
    for (let count = 0; count < 5; count += 1) await named('민수', '하');
    assert.equal((await find('민수')).length, 5);
    await named('민수', '하');
    await site.owner.rows(sql`
      insert into withdrawals.withdrawals (member_id, member_number, method, destination, amount_points, fee_points,
        state, rejection_code, reason, created_at, decided_at)
      select ${member.id}, 10 + n, 'litecoin', ${shared}, 1000, 0, 'rejected', 'operator', 'No', now(), now()
      from generate_series(1, 6) n`);
    for (const [text, kind, list, rowCount] of [
      ['민수', 'member', `${PANEL}/users?q=${encodeURIComponent('민수')}`, 6],
      ['LTC1QSHARED', 'withdrawal', `${PANEL}/withdrawals?status=all&q=LTC1QSHARED`, 6],
    ] as const) {
      const found = await find(text);
      assert.deepEqual(found.slice(5), [{ kind, id: text, title: text, link: list, isAll: true }]);
      assert.ok(found.slice(0, 5).every((one) => one.kind === kind && one.isAll === undefined));
      const path = kind === 'member' ? 'users' : 'withdrawals-data';
      const { body } = await read(`/api/admin/${path}?q=${encodeURIComponent(text)}`);
      assert.equal((Array.isArray(body) ? body : body.withdrawals).length, rowCount, text);
    }
  });

  it('finds a payment by its transaction, and opens its withdrawal', async () => {
    const txId = 'c0ffee'.padEnd(64, '0');
    await site.owner.rows(sql`
      insert into withdrawals.payouts (withdrawal_id, method, destination, amount_units, state, reference, artifact,
        due_at, queued_at, signed_at)
      values (${askedFor.body.id}, 'litecoin', ${ADDRESS}, 1, 'signed', ${txId}, 'bytes', now(), now(), now())`);
    for (const q of [txId, txId.toUpperCase()])
      assert.deepEqual(await find(q), [
        {
          kind: 'transaction',
          id: txId,
          title: 'Test, 2,000 P',
          link: `${PANEL}/withdrawals?status=all&open=${askedFor.body.id}`,
        },
      ]);
  });

  it('finds earnings and reversals by the provider’s transaction; a held one opens in its list', async () => {
    const [held, ...others] = await find(heldTransaction);
    assert.deepEqual(
      others.map(({ kind, id }) => [kind, id]),
      [['postback', heldTransaction]],
    );
    assert.match(held?.link ?? '', /^\/management-panel-x7k9w\/approvals\?open=\d+$/);
    assert.deepEqual(
      { ...held, link: null },
      { kind: 'earning', id: heldTransaction, title: 'Test, CPX Research, 12,000 P', link: null },
    );
    const credit = newTransaction();
    await send('theoremreach', values('theoremreach', member.id, credit));
    await send('theoremreach', takenBack('theoremreach', member.id, credit));
    const found = (await find(credit)).filter(({ kind }) => kind === 'earning');
    assert.deepEqual(
      found.map(({ title, link }) => [title, link]),
      [
        ['Test, TheoremReach, 180 P', linkOfMember],
        ['Test, TheoremReach, -180 P', linkOfMember],
      ],
    );
    const calls = (await find(credit)).filter(({ kind }) => kind === 'postback');
    assert.equal(calls.length, 2);
    for (const { title, link } of calls) {
      const [, id = ''] = /^TheoremReach, #(\d+)$/.exec(title) ?? [];
      assert.equal(link, `${PANEL}/postbacks?q=${credit}&open=${id}`);
    }
  });

  it('finds a call by its number, and one in quarantine also by the member that it names', async () => {
    const transaction = newTransaction();
    const stranger = '987654321';
    assert.equal((await send('cpx', values('cpx', stranger, transaction, '500'))).status, 200);
    const [call, waiting, ...others] = await find(transaction);
    assert.deepEqual(others, []);
    const [, number = ''] = /^CPX Research, #(\d+)$/.exec(call?.title ?? '') ?? [];
    const [{ id }] = (await read(`/api/admin/quarantine?q=${transaction}`)).body;
    const inQuarantine = {
      kind: 'quarantine',
      id: transaction,
      title: 'CPX Research, 500 P',
      link: `${PANEL}/postbacks/quarantine?open=${id}`,
    };
    assert.deepEqual(waiting, inQuarantine);
    assert.deepEqual(await find(stranger), [inQuarantine]);
    const ofNumber = (await find(number)).filter(({ kind }) => kind === 'postback');
    assert.deepEqual(ofNumber, [
      {
        kind: 'postback',
        id: number,
        title: `CPX Research, #${number}`,
        link: `${PANEL}/postbacks?q=${number}&open=${number}`,
      },
    ]);
    assert.deepEqual(
      (await find(id)).filter(({ kind }) => kind === 'quarantine'),
      [inQuarantine],
    );
    const dismissed = await site.call('POST', `/api/admin/quarantine/${id}/resolve`, {
      as: operator,
      body: { action: 'dismiss', note: 'Nobody has this id' },
    });
    assert.equal(dismissed.status, 200);
    assert.deepEqual(await find(stranger), []);
  });

  it('finds a ticket by its id', async () => {
    assert.deepEqual(await find(ticket.body.id), [
      {
        kind: 'ticket',
        id: ticket.body.id,
        title: 'My points',
        link: `${PANEL}/support?status=all&open=${ticket.body.id}`,
      },
    ]);
  });

  it('finds nothing for other texts, and refuses a blank one', async () => {
    for (const q of [
      'nothing',
      '999999999',
      '%',
      "' or true --",
      '00000000-0000-4000-8000-000000000000',
      '한',
    ])
      assert.deepEqual(await find(q), [], q);
    for (const query of ['', '?q=', '?q=%20', `?q=${'x'.repeat(255)}`])
      assert.equal((await read(`/api/admin/search${query}`)).status, 400, query);
  });

  it('is open to operators only', async () => {
    const path = `/api/admin/search?q=${member.id}`;
    assert.equal((await site.call('GET', path)).status, 401);
    const refused = await read(path, member);
    assert.deepEqual([refused.status, refused.problem.code], [403, 'forbidden']);
  });

  it('looks up single rows of large tables', async () => {
    await site.owner.rows(sql`
      insert into members.members (id, email, email_canonical, first_name, referral_code, terms_version, created_at)
      select id, id || '@example.com', id || '@example.com', 'Test', 'code' || id, '1', platform.business_now()
      from generate_series(300000001, 300000400) id`);
    await site.owner.rows(sql`
      insert into earning.earnings (provider, transaction_id, member_id, points, left_points, subject, is_screen_out,
        state, created_at)
      select 'cpx', 'many-' || n, 300000000 + n, 5, 5, '', false, 'credited', now() from generate_series(1, 400) n`);
    await site.owner.rows(sql`
      insert into earning.other_calls (postback_id, provider, transaction_id, member_ref, outcome)
      select id, 'cpx', 'many-9', '', 'repeated' from earning.postbacks where verdict = 'credited' limit 1`);
    await site.owner.rows(sql`
      insert into earning.quarantine (at, provider, kind, transaction_id, credit_transaction_id, member_ref, points,
        subject, is_screen_out, reason)
      select now(), 'cpx', 'credit', 'lost-' || n, 'lost-' || n, 300000400 + n, 5, '', false, 'unknown-member'
      from generate_series(1, 400) n`);
    // A connection of its own, because the counts of a connection include its earlier statements.
    const connection = openDatabase({ url: site.urls.ownerUrl, connectionsMax: 1 });
    const readRows = await connection.transaction(async (tx) => {
      assert.equal((await searchMembers(tx, searchTermsOf('300000007'), 5)).length, 1);
      assert.equal((await searchMembers(tx, searchTermsOf('300000008@example.com'), 5)).length, 1);
      assert.equal((await searchMembers(tx, searchTermsOf('서윤'), 5)).length, 1);
      assert.equal((await searchEarnings(tx, searchTermsOf('many-9'), 5)).length, 1);
      assert.equal((await searchPostbacks(tx, searchTermsOf('many-9'), 5)).length, 1);
      assert.equal((await searchPostbacks(tx, searchTermsOf('1'), 5)).length, 1);
      assert.equal((await searchQuarantine(tx, searchTermsOf('lost-9'), 5)).length, 1);
      assert.equal((await searchQuarantine(tx, searchTermsOf('300000409'), 5)).length, 1);
      assert.equal((await searchWithdrawals(tx, searchTermsOf(ADDRESS), 5)).length, 1);
      const start = askedFor.body.id.slice(0, 8);
      assert.equal((await searchWithdrawals(tx, searchTermsOf(start), 5)).length, 1);
      assert.equal((await searchTickets(tx, searchTermsOf(ticket.body.id))).length, 1);
      // Each search reads the seven providers once.
      return tablesReadBeyond(tx, 60);
    });
    await connection.close();
    assert.deepEqual(readRows, []);
  });
});
