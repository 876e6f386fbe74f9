import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { sql } from '#platform/database.ts';
import {
  nameOf,
  newTransaction,
  secretOf,
  startPostbacks,
  takenBack,
  values,
} from '../../test/postback-site.ts';
import type { Answer } from '../../test/site.ts';
import { auditBooks } from '../ledger/audit.ts';
import type { RawPostback } from './providers/provider.ts';
import { documentedOf, forms, genuineOf, genuinePostback } from './providers/vectors.ts';

/** The same calls over HTTP for each provider, in each of its forms, and the refused calls of each. */
const { site, configure, made, send, sendRaw, balance, moneyState, lastVerdict } = await startPostbacks({
  after,
});

for (const form of forms)
  describe(form, () => {
    const { provider, meaningless, digest, isInHeader } = genuineOf(form);
    const { successBody, takesChargebacks, signsAddress } = documentedOf(provider);
    const succeeded = ({ status, body }: Answer) => assert.deepEqual([status, body], [200, successBody]);

    it('§2-7 webhooks: credits a transaction once, even when it is sent again for another member', async () => {
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

    it('reverses its own credit, and only once', async () => {
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

    it('nets to zero when the reversal comes before or with the credit', async () => {
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

    it('quarantines calls for unknown members and reversals without a credit, and answers success', async () => {
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

    it('holds credits of 10,000 points or more for an operator', async () => {
      const member = await site.member();
      succeeded(await send(form, values(form, member.id, newTransaction(), '10000')));
      assert.equal(await lastVerdict(), 'held');
      assert.equal(await balance(member), '0');
    });

    it('acknowledges calls of less than a point or without effect, and books nothing', async () => {
      const member = await site.member();
      const before = await moneyState();
      for (const amount of ['0', '0.00', '0.9'])
        succeeded(await send(form, values(form, member.id, newTransaction(), amount)));
      succeeded(await send(form, { ...values(form, member.id, newTransaction()), ...meaningless }));
      assert.equal(await moneyState(), before);
    });

    it('§2-7 webhooks: refuses invalid calls, stores them raw, and changes nothing', async () => {
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
        // The space is encoded in the URL, so the signature does not match if a provider signs the unencoded value.
        const codes = what === 'transaction a b' ? ['invalid-postback', 'invalid-signature'] : [code];
        assert.ok(codes.includes(answer.problem.code), `${what}: ${answer.status} ${answer.problem.code}`);
        if (codes.length === 1) assert.equal(answer.status, status, what);
        assert.equal(await lastVerdict(), answer.problem.code, what);
      }
      for (const repeated of ['', '&x=1'].map((end) => withUrl((url) => `${url}${end}&${url.split('?')[1]}`)))
        assert.ok([400, 403].includes((await sendRaw(repeated)).status));
      assert.equal(await moneyState(), before);
    });

    it('refuses a call signed for another host if the provider signs the URL', async () => {
      const member = await site.member();
      const path = `/api/webhooks/postback/${provider}`;
      const elsewhere = genuinePostback(
        form,
        values(form, member.id, newTransaction()),
        `https://elsewhere.example${path}`,
        secretOf(provider),
      );
      const answer = await sendRaw({
        ...elsewhere,
        url: elsewhere.url.replace('https://elsewhere.example', site.origin),
      });
      assert.equal(answer.status, signsAddress ? 403 : 200);
      assert.equal(await balance(member), signsAddress ? '0' : '180');
    });

    it('answers 404 to HEAD, for a disabled provider and for another path', async () => {
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

    it('accepts POST without a body', async () => {
      const member = await site.member();
      succeeded(await sendRaw(made(form, values(form, member.id, newTransaction())), 'POST'));
      assert.equal(await balance(member), '180');
    });

    it('§2-7 webhooks: accepts only reversals at the URL for charge-backs', async () => {
      const member = await site.member();
      const transaction = newTransaction();
      const credit = await sendRaw(made(form, values(form, member.id, transaction), 'chargeback'));
      assert.deepEqual(
        [credit.status, credit.problem.code],
        takesChargebacks ? [422, 'not-a-chargeback'] : [404, 'unknown-provider'],
      );
      assert.equal(await balance(member), '0');
      if (!takesChargebacks) return;
      succeeded(await send(form, values(form, member.id, transaction)));
      succeeded(await sendRaw(made(form, takenBack(form, member.id, transaction), 'chargeback')));
      assert.equal(await balance(member), '0');
    });
  });

it('leaves balanced books', async () => assert.deepEqual(await auditBooks(site.owner), []));
