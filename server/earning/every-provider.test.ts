import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { sql } from '#platform/database.ts';
import { type Answer, type Person, testSite } from '../../test/site.ts';
import { auditBooks } from '../ledger/audit.ts';
import { type Form, forms, genuine, genuinePostback } from './providers/genuine-postbacks.ts';
import type { RawPostback } from './providers/provider.ts';
import { providers } from './providers/registry.ts';

/** The same story over HTTP for every provider, in each of its forms, and what nobody may do at any of them. */
const site = await testSite({ after });
const operator = await site.member({ role: 'admin' });
const configure = (id: string, change: Record<string, unknown> = {}) =>
  site.call('PUT', `/api/admin/providers/${id}`, {
    as: operator,
    body: { isEnabled: true, apiKey: 'app', secret: `a secret of ${id}`, ...change },
  });
for (const id of Object.keys(providers)) assert.equal((await configure(id)).status, 200);

let count = 0;
const newTransaction = (): string => {
  count += 1;
  return `7000000${String(count).padStart(6, '0')}`;
};

type Changes = Record<string, string | undefined>;
const nameOf = (form: Form, field: 'member' | 'amount' | 'transaction'): string =>
  Object.keys(genuine[form].fields[field])[0] ?? '';
const values = (form: Form, member: number | string, transaction: string, amount = '180.5'): Changes => ({
  [nameOf(form, 'member')]: String(member),
  [nameOf(form, 'transaction')]: transaction,
  [nameOf(form, 'amount')]: amount,
  ...(form === 'wannadsOld' ? { uuid: `uuid-of-${transaction}` } : {}),
});
const made = (form: Form, changes: Changes, kind = 'postback'): RawPostback => {
  const { provider } = genuine[form];
  const address = `${site.origin}/api/webhooks/${kind}/${provider}`;
  return genuinePostback(form, changes, address, `a secret of ${provider}`);
};
const sendRaw = ({ url, headers }: RawPostback, method = 'GET'): Promise<Answer> =>
  site.call(method, url.slice(site.origin.length), {
    headers: { origin: 'https://elsewhere.example', ...(headers as Record<string, string>) },
  });
const send = (form: Form, changes: Changes) => sendRaw(made(form, changes));
/** The call that takes a credit back, which may have a transaction of its own. */
const takenBack = (form: Form, member: number | string, transaction: string, amount = '180.5'): Changes => ({
  ...values(form, member, transaction, amount),
  ...genuine[form].takenBack(transaction, amount, `of-${transaction}`),
});

const stats = async (as: Person) => (await site.call('GET', '/api/user/stats', { as })).body;
const balance = async (as: Person): Promise<string> => (await stats(as)).balance;
/** Everything that is money, as one text: equal before and after what must have no effect. */
const moneyState = async () =>
  (
    await site.owner.one<{ state: string }>(sql`
      select md5(concat(
        (select string_agg(w::text, ';' order by member_id) from ledger.wallets w),
        (select string_agg(m::text, ';' order by member_id, seq) from ledger.movements m),
        (select string_agg(e::text, ';' order by provider, transaction_id) from earning.earnings e),
        (select string_agg(q::text, ';' order by id) from earning.quarantine q),
        (select string_agg(r::text, ';' order by provider, transaction_id) from earning.reversals r),
        (select string_agg(l::text, ';' order by provider, link, transaction_id) from earning.links l))) as state`)
  ).state;
const lastVerdict = async () =>
  (
    await site.owner.one<{ verdict: string }>(
      sql`select verdict from earning.postbacks order by id desc limit 1`,
    )
  ).verdict;

for (const form of forms)
  describe(form, () => {
    const { provider, meaningless, digest, isInHeader } = genuine[form];
    const { successBody } = providers[provider];
    const succeeded = ({ status, body }: Answer) => assert.deepEqual([status, body], [200, successBody]);

    it('credits once, however often and for whomever the transaction is sent again', async () => {
      const [member, other] = [await site.member(), await site.member()];
      const transaction = newTransaction();
      const call = made(form, values(form, member.id, transaction));
      for (const answer of await Promise.all(Array.from({ length: 12 }, () => sendRaw(call))))
        succeeded(answer);
      assert.equal(await balance(member), '180');
      const before = await moneyState();
      succeeded(await send(form, values(form, other.id, transaction, '9000')));
      succeeded(await send(form, values(form, member.id, transaction, '9000')));
      assert.equal(await moneyState(), before);
      const { body } = await site.call('GET', '/api/user/history', { as: member });
      assert.deepEqual(
        [body.data.length, body.data[0].kind, body.data[0].provider],
        [1, 'earning', provider],
      );
    });

    it('takes back what it credited, once, and only that', async () => {
      const member = await site.member();
      const [kept, lost] = [newTransaction(), newTransaction()];
      succeeded(await send(form, values(form, member.id, kept, '100')));
      succeeded(await send(form, values(form, member.id, lost)));
      const reversal = made(form, takenBack(form, member.id, lost));
      for (const answer of await Promise.all(Array.from({ length: 6 }, () => sendRaw(reversal))))
        succeeded(answer);
      assert.equal(await balance(member), '100');
      const before = await moneyState();
      succeeded(await send(form, values(form, member.id, lost)));
      succeeded(await sendRaw(reversal));
      assert.equal(await moneyState(), before);
    });

    it('may take back before it credits, also at once: the net is nothing', async () => {
      const member = await site.member();
      for (const atOnce of [false, true, true, true]) {
        const transaction = newTransaction();
        const [credit, reversal] = [
          values(form, member.id, transaction),
          takenBack(form, member.id, transaction),
        ];
        if (atOnce) await Promise.all([send(form, reversal), send(form, credit)]);
        else {
          succeeded(await send(form, reversal));
          assert.equal(await lastVerdict(), 'quarantined');
          succeeded(await send(form, credit));
        }
        assert.equal(await balance(member), '0');
        succeeded(await send(form, credit));
        succeeded(await send(form, reversal));
        assert.equal(await balance(member), '0');
      }
      const waiting = await site.owner.rows(sql`
        select from earning.quarantine where state = 'open' and member_ref = ${String(member.id)}`);
      assert.equal(waiting.length, 0);
    });

    it('of nobody, or without its credit, waits in quarantine and is answered with success', async () => {
      const [member, other] = [await site.member(), await site.member()];
      succeeded(await send(form, values(form, 999_999_999, newTransaction())));
      assert.equal(await lastVerdict(), 'quarantined');
      succeeded(await send(form, values(form, 'nobody', newTransaction())));
      assert.equal(await lastVerdict(), 'quarantined');
      const transaction = newTransaction();
      succeeded(await send(form, values(form, member.id, transaction)));
      succeeded(await send(form, takenBack(form, other.id, transaction)));
      assert.equal(await lastVerdict(), 'quarantined');
      succeeded(await send(form, takenBack(form, member.id, newTransaction(), '77')));
      assert.equal(await lastVerdict(), 'quarantined');
      assert.deepEqual([await balance(member), await balance(other)], ['180', '0']);
    });

    it('waits for an operator from 10,000 points on', async () => {
      const member = await site.member();
      succeeded(await send(form, values(form, member.id, newTransaction(), '10000')));
      assert.equal(await lastVerdict(), 'held');
      assert.equal(await balance(member), '0');
    });

    it('without value or meaning is acknowledged, kept, and nothing else', async () => {
      const member = await site.member();
      const before = await moneyState();
      for (const amount of ['0', '0.00', '0.9'])
        succeeded(await send(form, values(form, member.id, newTransaction(), amount)));
      succeeded(await send(form, { ...values(form, member.id, newTransaction()), ...meaningless }));
      assert.equal(await moneyState(), before);
    });

    it('that is wrong is refused, kept raw, and changes nothing', async () => {
      const member = await site.member();
      const good = () => made(form, values(form, member.id, newTransaction()));
      const withUrl = (change: (url: string) => string): RawPostback => {
        const raw = good();
        return { ...raw, url: change(raw.url) };
      };
      const unsigned = isInHeader
        ? { ...good(), headers: {} }
        : withUrl((url) => url.replace(new RegExp(`&${digest}=[^&]*`), ''));
      const wrong: [string, RawPostback, number, string][] = [
        ['no signature', unsigned, 403, 'invalid-signature'],
        [
          'another secret',
          genuinePostback(form, values(form, member.id, newTransaction()), good().url.split('?')[0], 'x'),
          403,
          'invalid-signature',
        ],
      ];
      for (const [field, value] of [
        ['amount', '1e3'],
        ['amount', '9'.repeat(40)],
        ['amount', ''],
        ['transaction', undefined],
        ['transaction', 'a b'],
        ['member', ''],
        ['member', undefined],
      ] as const) {
        const changes = { ...values(form, member.id, newTransaction()), [nameOf(form, field)]: value };
        wrong.push([`${field} ${value}`, made(form, changes), 400, 'invalid-postback']);
      }
      const before = await moneyState();
      for (const [what, raw, status, code] of wrong) {
        const answer = await sendRaw(raw);
        // What is signed in its raw form is wrongly signed where it had to be encoded.
        const codes = what === 'transaction a b' ? ['invalid-postback', 'invalid-signature'] : [code];
        assert.ok(codes.includes(answer.problem.code), `${what}: ${answer.status} ${answer.problem.code}`);
        if (codes.length === 1) assert.equal(answer.status, status, what);
        assert.equal(await lastVerdict(), answer.problem.code, what);
      }
      for (const repeated of ['', '&x=1'].map((end) => withUrl((url) => `${url}${end}&${url.split('?')[1]}`)))
        assert.ok([400, 403].includes((await sendRaw(repeated)).status));
      assert.equal(await moneyState(), before);
    });

    it('that is signed for another host counts only where hosts are not signed', async () => {
      const member = await site.member();
      const path = `/api/webhooks/postback/${provider}`;
      const elsewhere = genuinePostback(
        form,
        values(form, member.id, newTransaction()),
        `https://elsewhere.example${path}`,
        `a secret of ${provider}`,
      );
      const signsHost = ['bitlabs', 'theoremreach', 'adgem'].includes(provider);
      const answer = await sendRaw({
        ...elsewhere,
        url: elsewhere.url.replace('https://elsewhere.example', site.origin),
      });
      assert.equal(answer.status, signsHost ? 403 : 200);
      assert.equal(await balance(member), signsHost ? '0' : '180');
    });

    it('is no HEAD, and nothing where the provider is off or the address has another end', async () => {
      const member = await site.member();
      const call = made(form, values(form, member.id, newTransaction()));
      const before = await moneyState();
      assert.equal((await sendRaw(call, 'HEAD')).status, 404);
      const [address, query] = call.url.split('?');
      const elsewhere = await sendRaw({ ...call, url: `${address}/a-token-that-is-not-set?${query}` });
      assert.equal(elsewhere.problem.code, 'unknown-provider');
      assert.equal((await configure(provider, { isEnabled: false })).status, 200);
      assert.equal((await sendRaw(call)).problem.code, 'unknown-provider');
      assert.equal((await configure(provider)).status, 200);
      assert.equal(await moneyState(), before);
    });

    it('comes by POST without a body too', async () => {
      const member = await site.member();
      succeeded(await sendRaw(made(form, values(form, member.id, newTransaction())), 'POST'));
      assert.equal(await balance(member), '180');
    });

    it('at the address for charge-backs is a reversal or refused', async () => {
      const member = await site.member();
      const transaction = newTransaction();
      const credit = await sendRaw(made(form, values(form, member.id, transaction), 'chargeback'));
      const takes = ['cpx', 'bitlabs', 'theoremreach'].includes(provider);
      assert.deepEqual(
        [credit.status, credit.problem.code],
        takes ? [422, 'not-a-chargeback'] : [404, 'unknown-provider'],
      );
      assert.equal(await balance(member), '0');
      if (!takes) return;
      succeeded(await send(form, values(form, member.id, transaction)));
      succeeded(await sendRaw(made(form, takenBack(form, member.id, transaction), 'chargeback')));
      assert.equal(await balance(member), '0');
    });
  });

describe('a transaction of Wannads', () => {
  it('is taken back by the rejection that is equal to it, where several could be meant, each once', async () => {
    const member = await site.member();
    const [one, two] = [newTransaction(), newTransaction()];
    const rejection = (id: string) => send('wannads', takenBack('wannads', member.id, id));
    for (const transaction of [one, two]) await send('wannads', values('wannads', member.id, transaction));
    await rejection(`x${one}`);
    await rejection(`x${one}`);
    assert.equal(await balance(member), '180');
    await rejection(`x${two}`);
    assert.equal(await balance(member), '0');
    await rejection(`y${two}`);
    assert.equal(await balance(member), '0');
    assert.equal(await lastVerdict(), 'quarantined');
  });

  it('is worth nothing in the end where all of many equal ones are taken back, in any order', async () => {
    for (const form of ['wannads', 'wannadsOld'] as const) {
      const member = await site.member();
      const transactions = Array.from({ length: 12 }, newTransaction);
      const calls = transactions.flatMap((transaction, index) => {
        const pair = [values(form, member.id, transaction), takenBack(form, member.id, transaction)];
        return index % 2 === 0 ? pair : pair.reverse();
      });
      await Promise.all([...calls, ...calls.toReversed()].map((call) => send(form, call)));
      assert.equal(await balance(member), '0');
      const left = await site.owner.rows(sql`
        select from earning.earnings where member_id = ${member.id} and left_points > 0
        union all
        select from earning.quarantine where state = 'open' and member_ref = ${String(member.id)}`);
      assert.equal(left.length, 0);
    }
  });

  it('of the new generation may be taken back under its own id', async () => {
    const member = await site.member();
    const [kept, lost] = [newTransaction(), newTransaction()];
    for (const transaction of [lost, kept]) await send('wannads', values('wannads', member.id, transaction));
    await send('wannads', { ...takenBack('wannads', member.id, lost), transaction_id: lost });
    const standing = await site.owner.rows(sql`
      select transaction_id from earning.earnings where member_id = ${member.id} and left_points = 180`);
    assert.deepEqual(standing, [{ transaction_id: kept }]);
  });

  it('is booked again neither by another uuid nor for another reversal that waits', async () => {
    const member = await site.member();
    const credit = newTransaction();
    const waiting = (id: string) => ({ ...takenBack('wannads', member.id, id), transaction_id: id });
    for (const id of [newTransaction(), newTransaction()]) await send('wannads', waiting(id));
    for (let time = 0; time < 3; time += 1) await send('wannads', values('wannads', member.id, credit));
    assert.equal(await balance(member), '0');
    const open = await site.owner.rows(sql`
      select from earning.quarantine where state = 'open' and member_ref = ${String(member.id)}`);
    assert.equal(open.length, 1);
    await send('wannads', values('wannads', member.id, newTransaction()));
    assert.equal(await balance(member), '0');
  });
});

describe('what a signature leaves open', () => {
  it('is held where it comes from elsewhere: digits of Wannads moved from the transaction to the reward', async () => {
    const { publishedSourceAddresses: sourceAddresses, liveSourcePolicy: sourcePolicy } = providers.wannads;
    await configure('wannads', { settings: { sourceAddresses, sourcePolicy } });
    for (const form of ['wannads', 'wannadsOld'] as const) {
      const member = await site.member();
      const transaction = `${newTransaction()}5`;
      const { url } = made(form, values(form, member.id, transaction, '12'));
      const name = nameOf(form, 'transaction');
      const shifted = url
        .replace(`${name}=${transaction}`, `${name}=${transaction.slice(0, -1)}`)
        .replace('reward=12', `reward=${transaction.slice(-1)}12`);
      assert.equal((await sendRaw({ ...made(form, {}), url: shifted })).status, 200);
      assert.equal(await lastVerdict(), 'held');
      assert.equal(await balance(member), '0');
    }
    await configure('wannads', { settings: { sourceAddresses: [], sourcePolicy: 'record' } });
  });
});

describe('AdGem by POST', () => {
  const post = (
    body: string,
    signature = createHmac('sha256', 'a secret of adgem').update(body).digest('hex'),
  ) =>
    site.call('POST', '/api/webhooks/postback/adgem', {
      body,
      headers: { signature, 'content-type': 'application/json' },
    });
  const bodyOf = (member: Person, transaction: string, goal: string, amount = '180.5') =>
    JSON.stringify({
      request_id: newTransaction(),
      timestamp: 1_760_000_000,
      data: {
        player_id: String(member.id),
        amount: Number(amount),
        transaction_id: transaction,
        goal_id: goal,
      },
    });

  it('is the same transaction as by GET, goal by goal', async () => {
    const member = await site.member();
    const transaction = newTransaction();
    for (const goal of ['g1', 'g1', 'g2']) {
      const { status, body } = await post(bodyOf(member, transaction, goal));
      assert.deepEqual([status, body], [200, 'OK']);
    }
    assert.equal(await balance(member), '360');
    await send('adgem', { ...values('adgem', member.id, transaction), goal_id: 'g2' });
    assert.equal(await balance(member), '360');
    await post(bodyOf(member, transaction, 'g2', '-180.5'));
    assert.equal(await balance(member), '180');
  });

  it('is refused where the body is not what was signed, is no JSON, or is too large', async () => {
    const member = await site.member();
    const before = await moneyState();
    const body = bodyOf(member, newTransaction(), 'g1');
    const signature = createHmac('sha256', 'a secret of adgem').update(body).digest('hex');
    const changed = await post(body.replace('180.5', '980.5'), signature);
    assert.deepEqual([changed.status, changed.problem.code], [403, 'invalid-signature']);
    const none = await post('{"data":');
    assert.deepEqual([none.status, none.problem.code], [400, 'invalid-postback']);
    assert.equal((await post(`{"data":"${'x'.repeat(70_000)}"}`)).status, 413);
    assert.equal(await moneyState(), before);
  });
});

it('leaves books that balance', async () => assert.deepEqual(await auditBooks(site.owner), []));
