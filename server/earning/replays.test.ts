import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Postback } from '#contract/earning-postbacks.ts';
import { sql } from '#platform/database.ts';
import {
  type Changes,
  newTransaction,
  secretOf,
  startPostbacks,
  takenBack,
  values,
} from '../../test/postback-site.ts';
import { auditBooks } from '../ledger/audit.ts';
import { forms, genuineOf } from './providers/vectors.ts';

/** Operators look at providers' calls and replay those that were refused. */
const { site, configure, made, send, sendRaw, balance, moneyState } = await startPostbacks({ after });
const operator = await site.member({ role: 'admin' });

const find = async (query: string, as = operator): Promise<Postback[]> => {
  const answer = await site.call('GET', `/api/admin/postbacks?${query}`, { as });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
};
const newest = async (transaction: string): Promise<Postback> => {
  const [row] = await find(`q=${transaction}`);
  assert.ok(row, `a call of ${transaction}`);
  return row;
};
const dryRun = async ({ id }: { id: string }, body?: object) => {
  const path = `/api/admin/postbacks/${id}/replay?dryRun=true`;
  const answer = await site.call('POST', path, { as: operator, body });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
};
type Seen = { verdict: string; memberId: string | null; amount: string | null };
const replay = ({ id }: { id: string }, { verdict, memberId, amount }: Seen, as = operator) =>
  site.call('POST', `/api/admin/postbacks/${id}/replay`, {
    as,
    body: {
      reason: 'The secret was wrong',
      verdict,
      memberId: memberId ?? undefined,
      amount: amount ?? undefined,
    },
  });
const states = ({ steps }: Pick<Postback, 'steps'>) => steps.map(({ state }) => state);
const passed = (count: number) => Array<string>(count).fill('passed');
const notReached = (count: number) => Array<string>(count).fill('notReached');

/** Sends a call while the site has another secret, then mends the secret. */
async function refusedFor(form: string, changes: Changes): Promise<Postback> {
  const { provider } = genuineOf(form);
  await configure(provider, { secret: 'another one', settings: { formerSecretHours: 0 } });
  const raw = made(form, changes);
  assert.equal((await sendRaw(raw)).status, 403);
  await configure(provider);
  const [call] = await find('limit=1');
  assert.ok(call);
  assert.equal(call.verdict, 'invalid-signature');
  return call;
}

describe('the list of calls', () => {
  it('is for operators alone', async () => {
    const member = await site.member();
    assert.equal((await site.call('GET', '/api/admin/postbacks')).status, 401);
    assert.equal((await site.call('GET', '/api/admin/postbacks', { as: member })).status, 403);
    const path = '/api/admin/postbacks/1/replay?dryRun=true';
    assert.equal((await site.call('POST', path, { as: member })).status, 403);
    assert.equal((await site.call('GET', '/api/admin/postbacks/stats', { as: member })).status, 403);
  });

  it('has each call with its steps, its outcome and what it says', async () => {
    const member = await site.member();
    const transaction = newTransaction();
    await send('cpx', values('cpx', member.id, transaction));
    await send('cpx', values('cpx', member.id, transaction));
    await send('cpx', takenBack('cpx', member.id, transaction));
    const held = newTransaction();
    await send('cpx', values('cpx', member.id, held, '12000'));
    const lost = newTransaction();
    await send('cpx', values('cpx', 100000001, lost));
    const [reversed, repeated, credited] = await find(`q=${transaction}`);
    assert.ok(reversed && repeated && credited);
    assert.deepEqual(
      [credited, repeated, reversed].map(({ verdict, outcome, amount }) => [verdict, outcome, amount]),
      [
        ['credited', 'booked', '180'],
        ['duplicate', 'repeated', '180'],
        ['reversed', 'booked', '-180'],
      ],
    );
    assert.deepEqual(states(credited), passed(7));
    assert.deepEqual(states(repeated), [...passed(5), 'noted', 'notReached']);
    assert.deepEqual(
      [credited.memberId, credited.providerName, credited.kind],
      [String(member.id), 'CPX Research', 'credit'],
    );
    assert.ok(credited.memberName);
    const [waits] = await find(`q=${held}`);
    assert.deepEqual(
      [waits?.outcome, waits?.heldId === null, states(waits as Postback)],
      ['held', false, [...passed(6), 'noted']],
    );
    const [quarantined] = await find(`q=${lost}`);
    assert.deepEqual(
      [quarantined?.outcome, quarantined?.memberName, states(quarantined as Postback)],
      ['quarantined', null, [...passed(4), 'noted', ...notReached(2)]],
    );
    assert.match(quarantined?.quarantineId ?? '', /^\d+$/);
  });

  it('filters by outcome and provider, and finds by transaction, member and id', async () => {
    const member = await site.member();
    const [one, two] = [newTransaction(), newTransaction()];
    await send('cpx', values('cpx', member.id, one));
    await send('kiwiwall', values('kiwiwall', member.id, two));
    await send('kiwiwall', values('kiwiwall', member.id, two));
    const ids = async (query: string) => (await find(query)).map(({ txId, outcome }) => `${txId} ${outcome}`);
    assert.deepEqual(await ids(`q=${member.id}`), [`${two} repeated`, `${two} booked`, `${one} booked`]);
    assert.deepEqual(await ids(`q=${member.id}&provider=cpx`), [`${one} booked`]);
    assert.deepEqual(await ids(`q=${member.id}&outcome=repeated`), [`${two} repeated`]);
    assert.deepEqual(await ids(`q=${two}&outcome=booked`), [`${two} booked`]);
    assert.deepEqual(await ids('outcome=repeated&provider=kiwiwall&limit=1'), [`${two} repeated`]);
    assert.deepEqual(await ids('provider=kiwiwall&limit=1'), [`${two} repeated`]);
    const [{ id } = { id: '' }] = await find(`q=${one}`);
    assert.deepEqual(await ids(`id=${id}`), [`${one} booked`]);
    assert.deepEqual(await ids('id=999999999'), []);
    const csv = await site.call('GET', `/api/admin/postbacks?q=${two}&format=csv`, { as: operator });
    assert.equal(String(csv.body).trim().split('\n').length, 3);
  });

  it('shows the signed text of every form, and neither a secret nor a whole signature', async () => {
    const member = await site.member();
    for (const form of forms) {
      const transaction = newTransaction();
      const raw = made(form, values(form, member.id, transaction));
      await sendRaw(raw);
      const [call] = await find('limit=1');
      assert.ok(call?.signature, form);
      const text = JSON.stringify(call);
      assert.ok(!text.includes(secretOf(call.provider)), form);
      assert.equal(call.signature.matches, 'current', form);
      assert.equal(call.signature.received, call.signature.ours, form);
      assert.match(call.signature.received, /^[\w-]{8}…$/, form);
      const sent = raw.url + JSON.stringify(raw.headers);
      for (const digest of sent.match(/[\w-]{27,}/g)?.filter((part) => /^[\da-f]+$/.test(part)) ?? [])
        if (!digest.includes(transaction)) assert.ok(!text.includes(digest), `${form} ${digest}`);
    }
  });

  it('cuts the token of the path', async () => {
    await configure('cpx', { settings: { pathToken: 'token-of-a-path-123' } });
    const transaction = newTransaction();
    const { url } = made('cpx', values('cpx', (await site.member()).id, transaction));
    const path = url.slice(site.origin.length).replace('/cpx?', '/cpx/token-of-a-path-123?');
    assert.equal((await site.call('GET', path)).status, 200);
    const call = await newest(transaction);
    assert.ok(!JSON.stringify(call).includes('token-of-a-path-123'));
    assert.match(call.raw, /postback\/cpx\/\*\*\*\?status=1/);
    await configure('cpx', { settings: { pathToken: null } });
  });

  it('keeps ordinary credits out of what is stored for other calls', async () => {
    const member = await site.member();
    const transactions = Array.from({ length: 20 }, newTransaction);
    const statuses = await Promise.all(transactions.map((one) => send('cpx', values('cpx', member.id, one))));
    assert.ok(statuses.every(({ status }) => status === 200));
    const { count } = await site.owner.one<{ count: bigint }>(
      sql`select count(*) as count from earning.other_calls where transaction_id = any (${transactions}::text[])`,
    );
    assert.equal(count, 0n);
    assert.equal((await find(`q=${member.id}`)).length, 20);
  });
});

describe('a replay', () => {
  it('changes nothing as a dry run, and says what would be booked', async () => {
    const member = await site.member();
    const call = await refusedFor('cpx', values('cpx', member.id, newTransaction()));
    assert.deepEqual(states(call), [...passed(2), 'failed', ...notReached(4)]);
    assert.deepEqual([call.memberId, call.amount], [String(member.id), '180']);
    const [money, calls] = [await moneyState(), (await find('limit=100')).length];
    const outcome = await dryRun(call);
    assert.deepEqual(await dryRun(call, {}), outcome, 'with an empty body too');
    const { memberName, steps, ...rest } = outcome;
    assert.ok(memberName);
    assert.deepEqual(states({ steps }), passed(7));
    assert.deepEqual(rest, {
      verdict: 'credited',
      detail: '',
      matches: 'current',
      memberId: String(member.id),
      amount: '180',
      isBookable: true,
    });
    assert.deepEqual([await moneyState(), (await find('limit=100')).length], [money, calls]);
    assert.equal((await find(`id=${call.id}`))[0]?.replay, null);
  });

  it('books a call of every form once, whoever sends or replays it again', async () => {
    for (const form of forms) {
      const member = await site.member();
      const changes = values(form, member.id, newTransaction());
      const call = await refusedFor(form, changes);
      const seen = await dryRun(call);
      assert.deepEqual([seen.verdict, seen.amount], ['credited', '180'], form);
      const both = await Promise.all([replay(call, seen), replay(call, seen)]);
      assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409], form);
      assert.equal((await send(form, changes)).status, 200, form);
      assert.equal((await replay(call, seen)).problem.code, 'already-decided', form);
      assert.equal(await balance(member), '180', form);
      assert.deepEqual((await dryRun(call)).isBookable, false, form);
      const [{ replay: done } = { replay: null }] = await find(`id=${call.id}`);
      assert.equal(done?.verdict, 'credited', form);
    }
    assert.deepEqual(await auditBooks(site.owner), []);
  });

  it('books a chargeback that was refused', async () => {
    const member = await site.member();
    const transaction = newTransaction();
    await send('kiwiwall', values('kiwiwall', member.id, transaction));
    const call = await refusedFor('kiwiwall', takenBack('kiwiwall', member.id, transaction, '100'));
    const seen = await dryRun(call);
    assert.deepEqual([seen.verdict, seen.amount], ['reversed', '-100']);
    assert.equal((await replay(call, seen)).status, 200);
    assert.equal(await balance(member), '80');
  });

  it('holds what is held today, and quarantines a credit for nobody', async () => {
    const member = await site.member();
    const large = await refusedFor('cpx', values('cpx', member.id, newTransaction(), '15000'));
    const seen = await dryRun(large);
    assert.deepEqual([seen.verdict, seen.amount], ['held', '15000']);
    assert.equal((await replay(large, seen)).status, 200);
    assert.equal(await balance(member), '0');
    const lost = await refusedFor('cpx', values('cpx', 100000002, newTransaction()));
    assert.equal((await dryRun(lost)).verdict, 'quarantined');
  });

  it('is refused if its outcome is another one by now', async () => {
    const member = await site.member();
    const changes = values('cpx', member.id, newTransaction());
    const call = await refusedFor('cpx', changes);
    const seen = await dryRun(call);
    assert.equal((await replay(call, { ...seen, amount: '181' })).problem.code, 'outcome-changed');
    assert.equal((await send('cpx', changes)).status, 200);
    assert.equal((await replay(call, seen)).problem.code, 'outcome-changed');
    assert.equal(await balance(member), '180');
    assert.equal((await find(`id=${call.id}`))[0]?.replay, null);
  });

  it('needs a reason, another member than the operator, and a stored call', async () => {
    const call = await refusedFor('cpx', values('cpx', operator.id, newTransaction()));
    const seen = await dryRun(call);
    assert.equal((await replay(call, seen)).problem.code, 'own-request');
    const path = `/api/admin/postbacks/${call.id}/replay`;
    for (const body of [undefined, {}, { reason: 'Why' }, { verdict: 'credited' }])
      assert.equal((await site.call('POST', path, { as: operator, body })).status, 400, JSON.stringify(body));
    for (const id of ['999999999', 'nonsense']) assert.equal((await replay({ id }, seen)).status, 404, id);
    assert.equal(
      (await site.call('POST', `/api/admin/postbacks/999999999/replay?dryRun=true`, { as: operator })).status,
      404,
    );
  });

  it('leaves its reason and its outcome in the audit trail', async () => {
    const member = await site.member();
    const call = await refusedFor('cpx', values('cpx', member.id, newTransaction()));
    assert.equal((await replay(call, await dryRun(call))).status, 200);
    const { body } = await site.call('GET', '/api/admin/audit?limit=1&act=postback.replay', { as: operator });
    const { target, reason, after: changed } = body.data[0];
    assert.deepEqual([target, reason], [call.id, 'The secret was wrong']);
    assert.deepEqual(changed, {
      verdict: 'credited',
      memberId: String(member.id),
      amount: '180',
      secret: 'current',
    });
  });

  it('books nothing that today’s settings refuse', async () => {
    const member = await site.member();
    const call = await refusedFor('cpx', values('cpx', member.id, newTransaction()));
    await configure('cpx', { isEnabled: false });
    const off = await dryRun(call);
    assert.deepEqual([off.verdict, off.isBookable, states(off)[0]], ['unknown-provider', false, 'failed']);
    assert.equal((await replay(call, { ...off, verdict: 'credited' })).status, 409);
    const settings = { sourceAddresses: ['203.0.113.9'], sourcePolicy: 'refuse' };
    await configure('cpx', { isEnabled: true, settings });
    assert.equal((await dryRun(call)).verdict, 'source-refused');
    await configure('cpx', { settings: { sourceAddresses: [], sourcePolicy: 'record' } });
  });
});

describe('a former secret after its time', () => {
  let call: Postback;
  const member = site.member();
  before(async () => {
    await configure('bitlabs', { secret: 'the first', settings: { formerSecretHours: 1 } });
    await configure('bitlabs', { secret: 'the second' });
    await site.call('POST', '/sandbox/clock', { body: { advanceSeconds: 2 * 3_600 } });
    await sleep(1_100);
    await configure('bitlabs', { secret: 'the second' });
    await configure('bitlabs', { secret: 'a secret of bitlabs' });
    await site.call('POST', '/sandbox/clock', { body: { advanceSeconds: 2 * 3_600 } });
    await sleep(1_100);
    const id = (await member).id;
    const { url } = made('bitlabs', values('bitlabs', id, newTransaction()));
    const end = url.lastIndexOf('&hash=');
    const signed = url.slice(0, end);
    const hash = createHmac('sha1', 'the second').update(signed).digest('hex');
    for (let repeats = 0; repeats < 3; repeats += 1)
      assert.equal((await site.call('GET', `${signed.slice(site.origin.length)}&hash=${hash}`)).status, 403);
    call = (await find('limit=1'))[0] as Postback;
  });

  it('is named as the likely cause', async () => {
    assert.equal(call.signature?.matches, 'former');
    const { body } = await site.call('GET', '/api/admin/postbacks/stats', { as: operator });
    const [wrong] = body.wronglySigned.filter(({ provider }: { provider: string }) => provider === 'bitlabs');
    assert.deepEqual([wrong.count, wrong.matches, wrong.providerName], [3, 'former', 'BitLabs']);
  });

  it('signs a replay that an operator decides', async () => {
    const seen = await dryRun(call);
    assert.deepEqual([seen.verdict, seen.matches], ['credited', 'former']);
    assert.equal((await replay(call, seen)).status, 200);
    assert.equal(await balance(await member), '180');
  });
});

it('counts the calls of the day by outcome', async () => {
  const stats = async () => (await site.call('GET', '/api/admin/postbacks/stats', { as: operator })).body;
  await sleep(1_500);
  const first = await stats();
  const member = await site.member();
  const transaction = newTransaction();
  for (let repeats = 0; repeats < 2; repeats += 1)
    await send('cpx', values('cpx', member.id, transaction, '70'));
  assert.equal((await site.call('GET', '/api/webhooks/postback/cpx?trans_id=1')).status, 403);
  await sleep(2_500);
  const then = await stats();
  const more = (name: string) => Number(then[name]) - Number(first[name]);
  assert.deepEqual(
    ['today', 'booked', 'bookedAmount', 'refused', 'repeated', 'held'].map(more),
    [3, 1, 70, 1, 1, 0],
  );
  assert.ok(then.lastAt >= first.lastAt);
});
