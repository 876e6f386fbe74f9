import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openDatabase, type Reader, sql } from '#platform/database.ts';
import { testDatabase } from '../../test/database.ts';
import { tablesReadBeyond } from '../../test/rows-read.ts';
import { type Booked, bookCalls, bookCredit, type Call } from './queries.ts';

const { owner, ownerUrl } = await testDatabase({ after });

const MEMBER_FIRST = 300_000_000;

async function addMembers(from: number, to: number): Promise<void> {
  await owner.rows(sql`
    insert into members.members (id, email, email_canonical, first_name, referral_code, terms_version, created_at)
    select id, id || '@example.com', id || '@example.com', 'Test', 'code' || id, '1', platform.business_now()
    from generate_series(${MEMBER_FIRST + from}::integer, ${MEMBER_FIRST + to}::integer) id`);
  await owner.rows(sql`
    select ledger.open_wallet(id)
    from generate_series(${MEMBER_FIRST + from}::integer, ${MEMBER_FIRST + to}::integer) id`);
}

const callOf = (kind: 'credit' | 'reversal', member: number, transaction: string, hold = false): Call => ({
  kind,
  provider: 'cpx',
  transactionId: kind === 'credit' ? transaction : `${transaction}-back`,
  creditTransactionId: transaction,
  memberRef: String(MEMBER_FIRST + member),
  points: '100',
  payoutMicroUsd: null,
  subject: '',
  isScreenOut: false,
  holdReason: hold ? 'network' : null,
  raw: 'GET /x',
  address: '127.0.0.1',
  verdict: null,
  detail: '',
});

/** Books all cases by both functions: single and batch, new, repeated, held, reversed, reversed before the credit. */
async function bookEveryWay(reader: Reader, member: number, mark: string): Promise<string[]> {
  const one = (transaction: string) => callOf('credit', member, `${mark}-${transaction}`);
  const back = (transaction: string) => callOf('reversal', member, `${mark}-${transaction}`);
  const booked: Booked[] = [await bookCredit(reader, one('alone')), await bookCredit(reader, one('alone'))];
  for (const calls of [
    [one('a'), one('b')],
    [one('b'), one('c'), callOf('credit', member, `${mark}-held`, true), back('a'), back('late')],
    [one('late'), back('held')],
  ])
    booked.push(...(await bookCalls(reader, calls)));
  return booked.map(({ verdict }) => verdict);
}

test('reads only the booked rows, also with plans that were made on empty tables', async () => {
  await addMembers(0, 1);
  for (const vacuum of [
    sql`vacuum analyze ledger.wallets`,
    sql`vacuum analyze ledger.movements`,
    sql`vacuum analyze earning.earnings`,
    sql`vacuum analyze earning.reversals`,
    sql`vacuum analyze earning.quarantine`,
    sql`vacuum analyze members.suspensions`,
  ])
    await owner.rows(vacuum);
  const connection = openDatabase({ url: ownerUrl, connectionsMax: 1 });
  try {
    const early = await bookEveryWay(connection, 0, 'early');
    await addMembers(2, 400);
    for (let member = 2; member <= 400; member += 1) await bookEveryWay(owner, member, `m${member}`);
    const read = await connection.transaction(async (tx) => {
      assert.deepEqual(await bookEveryWay(tx, 1, 'now'), early);
      // There are 401 wallets. Each of these calls looks up its member's wallet a few times.
      return tablesReadBeyond(tx, 80);
    });
    assert.deepEqual(read, []);
  } finally {
    await connection.close();
  }
});
