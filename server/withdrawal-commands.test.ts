import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { chainActs } from '#platform/act-chain.ts';
import { markerFileOf } from '#platform/data-folders.ts';
import { openDatabase, sql } from '#platform/database.ts';
import { changeSettings } from '#platform/settings-change.ts';
import { runAdmin } from '../test/admin-command.ts';
import { randomRegtestAddress } from '../test/litecoind.ts';
import { startSandboxCoinNode } from '../test/sandbox-coin-node.ts';
import { ask, balanceOf, connectLitecoin, faultsOfBooks, startWorld } from '../test/withdrawals-world.ts';
import { siteChecks } from './books.ts';
import { runChecks } from './ledger/ledger.ts';
import { approveWithdrawal } from './withdrawals/decisions.ts';
import { verifyTimeline } from './withdrawals/timelines.ts';

/** Decisions on the command line, run as operators do when the web is not there. */
const world = await startWorld({ after });
const { parts, operator, owner, database, environment, appUrl, ownerUrl } = world;
const node = await startSandboxCoinNode({ after });
await connectLitecoin(world, node.access);

const admin = (...words: string[]) =>
  runAdmin({ ...environment, DATABASE_URL: appUrl, DATABASE_OWNER_URL: ownerUrl }, ...words);
const pending = async (amountPoints: bigint) => {
  const memberId = await world.member(amountPoints);
  const address = randomRegtestAddress();
  const { id } = await ask(world, memberId, amountPoints, address);
  return { id, memberId, address };
};
/** The files of a folder with their content. */
const filesOf = (folder: string): [string, string][] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name)).isFile())
    .sort()
    .map((name) => [name, readFileSync(join(folder, name), 'utf8')]);
type Pending = Awaited<ReturnType<typeof pending>>;
const sumOf = ({ id, memberId, address }: Pending, points: number) =>
  `${id}: ${points} points, litecoin ${address}, ${memberId} member${memberId - 100_000_000}@example.com\n`;
const actsOn = (ids: string[]) =>
  owner.rows(sql`
    select actor, operator_id as "operatorId", act, target, member_id as "memberId", reason from platform.acts
    where target = any(${ids}::text[]) and actor = 'command-line' order by id`);

describe('admin withdrawals, approve and reject', () => {
  it('list what waits, decide it once by the rules of the back office, and leave one act each', async () => {
    await changeSettings(database, 'sandbox', {
      caps: { memberDay: null, methodDay: null, secondPersonFrom: '5000' },
    });
    const [small, other, large] = [await pending(1_000n), await pending(1_200n), await pending(5_000n)];
    const listed = (await admin('withdrawals')).said.trimEnd().split('\n');
    assert.deepEqual(
      listed.map((line) => line.replace(/ \S+Z /, ' ')),
      [small, other, large].map(
        ({ id, memberId, address }, index) =>
          `${id} ${[1_000, 1_200, 5_000][index]} points, litecoin ${address}, ${memberId} ` +
          `member${memberId - 100_000_000}@example.com [${index === 2 ? 'two-people, ' : ''}first-payout]`,
      ),
    );

    const unknown = '00000000-0000-4000-8000-000000000000';
    const approved = await admin('approve', small.id, large.id, unknown);
    assert.deepEqual(approved, {
      code: 1,
      said:
        sumOf(small, 1_000) +
        `${small.id}: approved, litecoin 0.01242236 to ${small.address}.\n` +
        sumOf(large, 5_000),
      complained:
        `${large.id}: It needs two people. An operator must approve it first.\n` +
        `${unknown}: There is nothing with this id.\n`,
    });
    const rejected = await admin('reject', other.id, 'The address', 'is a stranger’s');
    assert.deepEqual(rejected, {
      code: 0,
      said: `${sumOf(other, 1_200)}${other.id}: rejected. Its points are back.\n`,
      complained: '',
    });
    assert.equal(await balanceOf(world, other.memberId), 1_200n);
    const again = await admin('reject', small.id, 'Late');
    assert.deepEqual(
      [again.code, again.complained],
      [1, `${small.id}: This withdrawal was approved already.\n`],
    );

    await assert.rejects(approveWithdrawal(parts, operator, large.id), { code: 'second-operator-needed' });
    assert.match((await admin('approve', large.id)).said, /: approved, litecoin 0\.06/);
    assert.equal((await admin('withdrawals')).said, 'No request waits.\n');
    const of = (act: string, { id, memberId }: { id: string; memberId: number }, reason: string | null) => ({
      actor: 'command-line',
      operatorId: null,
      act,
      target: id,
      memberId,
      reason,
    });
    assert.deepEqual(await actsOn([small.id, other.id, large.id]), [
      of('withdrawal.approve', small, null),
      of('withdrawal.reject', other, 'The address is a stranger’s'),
      of('withdrawal.approve', large, null),
    ]);
    assert.deepEqual(await faultsOfBooks(world), []);
  });

  it('refuse an id of another form and a rejection without a reason', async () => {
    const misused = await Promise.all([admin('approve'), admin('approve', '7'), admin('reject', '7', 'Why')]);
    for (const { code, said, complained } of misused)
      assert.deepEqual(
        [code, said, complained],
        [2, '', 'ID is the id of a request, as `withdrawals` prints it.\n'],
      );
  });
});

describe('an approval without an operator', () => {
  it('is a difference of the books unless the audit trail has the act of the command line', async () => {
    const { id } = await pending(1_000n);
    await approveWithdrawal(parts, operator, id);
    await owner.rows(sql`update withdrawals.withdrawals set decided_by = null where id = ${id}`);
    const faults = await runChecks(owner, siteChecks);
    await owner.rows(sql`update withdrawals.withdrawals set decided_by = ${operator} where id = ${id}`);
    assert.deepEqual(
      faults.map(({ check, subject }) => [check, subject]),
      [['withdrawals', id]],
    );
    assert.deepEqual(await runChecks(owner, siteChecks), []);
  });
});

describe('a command that moves points, on an older copy of the database', () => {
  it('does nothing until the site has started on the copy, and writes no marker', async () => {
    await verifyTimeline(parts);
    const { id, memberId } = await pending(1_000n);
    const copy = await world.copy({ after });
    await approveWithdrawal(parts, operator, (await pending(1_000n)).id);
    await chainActs(parts);
    await verifyTimeline(parts);
    const markers = () => filesOf(parts.config.dataDir);
    const before = markers();
    const onCopy = (...words: string[]) =>
      runAdmin({ ...environment, DATABASE_URL: copy.appUrl, DATABASE_OWNER_URL: copy.ownerUrl }, ...words);
    const commands = [
      ['approve', id],
      ['reject', id, 'Wrong'],
      ['grant', String(memberId), '500', 'Prize'],
      ['revoke', String(memberId), '500', 'Mistake'],
      ['held', 'approve', '1'],
      ['quarantine', 'book', '1', 'Seen'],
    ];
    for (const { code, said, complained } of await Promise.all(commands.map((words) => onCopy(...words)))) {
      assert.deepEqual([code, said], [1, '']);
      assert.match(
        complained,
        /^Nothing was done\. .+an older copy was restored\. Start the site here first, and do /,
      );
    }
    const read = await Promise.all([onCopy('withdrawals'), onCopy('held', 'list')]);
    assert.deepEqual(
      read.map(({ code }) => code),
      [0, 0],
    );
    assert.match(read[0].said, new RegExp(`^${id} `, 'm'));
    assert.deepEqual(markers(), before);

    const database = openDatabase({ url: copy.appUrl, connectionsMax: 2 });
    after(() => database.close());
    assert.notEqual(await verifyTimeline({ ...parts, database }), undefined);
    const { complained } = await onCopy('approve', id);
    assert.match(complained, new RegExp(`^${id}: `), 'now the rules of a restored site decide');
    assert.equal((await onCopy('grant', String(memberId), '500', 'Prize')).code, 0);
  });

  it('does nothing where the markers can’t be read, and names the user', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'earnest-admin-'));
    after(() => rmSync(elsewhere, { recursive: true, force: true }));
    mkdirSync(markerFileOf(elsewhere), { recursive: true });
    const { code, complained } = await runAdmin(
      { ...environment, DATA_DIR: elsewhere, DATABASE_URL: appUrl, DATABASE_OWNER_URL: ownerUrl },
      ...['grant', String(await world.member(0n)), '500', 'Prize'],
    );
    assert.deepEqual(
      [code, complained],
      [
        1,
        'Nothing was done. The marker of payments in DATA_DIR can’t be read or written: EISDIR. ' +
          'Run the command as the user of the site.\n',
      ],
    );
  });

  it('runs from a shell without markers, which can’t show anything', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'earnest-admin-'));
    after(() => rmSync(elsewhere, { recursive: true, force: true }));
    const member = await world.member(0n);
    const granted = await runAdmin(
      { ...environment, DATA_DIR: elsewhere, DATABASE_URL: appUrl, DATABASE_OWNER_URL: ownerUrl },
      ...['grant', String(member), '500', 'Prize'],
    );
    assert.equal(granted.code, 0, granted.complained);
    assert.deepEqual(filesOf(elsewhere), []);
  });
});
