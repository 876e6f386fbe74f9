import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { MEMBER_ID, memberId } from '#contract/fields.ts';
import { sql } from '#platform/database.ts';
import { testDatabase } from '../../test/database.ts';

/** The form of a member's id stands in the contract, in `earning.member_of`, and as the bounds of `members.members`. */
const { owner } = await testDatabase({ after });

const texts = [
  ...[
    '123456789',
    '100000000',
    '999999999',
    '012345678',
    '12345678',
    '1234567890',
    '12345678a',
    '',
    '1 3456789',
  ],
  ...['123456789\n', '\n123456789', '+12345678', '-123456789', '１２３４５６７８９', '123456789 '],
];

test('accepts the same texts as member ids in the contract and in SQL', async () => {
  const rows = await owner.rows<{ text: string; isMember: boolean }>(sql`
    select text, earning.member_of(text) is not null as "isMember" from unnest(${texts}::text[]) text`);
  assert.deepEqual(
    rows.map(({ isMember }) => isMember),
    texts.map((text) => MEMBER_ID.test(text)),
  );
  for (const text of texts) assert.equal(MEMBER_ID.test(text), memberId.safeParse(text).success, text);
  assert.equal(rows.filter(({ isMember }) => isMember).length, 3);
});

test('stores members with every such id and no other', async () => {
  const accepts = (id: number) =>
    owner
      .rows(sql`
        insert into members.members (id, email, email_canonical, first_name, referral_code, terms_version, created_at)
        values (${id}, ${`${id}@example.com`}, ${`${id}@example.com`}, 'Test', ${`code${id}`}, '1',
          platform.business_now())`)
      .then(
        () => true,
        (error: { code?: string }) => {
          assert.equal(error.code, '23514');
          return false;
        },
      );
  for (const id of [99_999_999, 100_000_000, 999_999_999, 1_000_000_000])
    assert.equal(await accepts(id), MEMBER_ID.test(String(id)), String(id));
});
