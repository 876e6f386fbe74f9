import assert from 'node:assert/strict';
import { sql } from '#platform/database.ts';
import type { RawPostback } from '../server/earning/providers/provider.ts';
import { providers } from '../server/earning/providers/registry.ts';
import { genuineOf, genuinePostback } from '../server/earning/providers/vectors.ts';
import { type Answer, type Person, testSite } from './site.ts';

/** A site with every provider active, and genuine postbacks over HTTP. */
type Lifetime = { after: (callback: () => Promise<void>) => void };
export type Changes = Record<string, string | undefined>;

/** The parameter that holds this part of a postback. */
export const nameOf = (form: string, field: 'member' | 'amount' | 'transaction'): string =>
  Object.keys(genuineOf(form).fields[field])[0] ?? '';

export const secretOf = (provider: string): string => `a secret of ${provider}`;

let count = 0;
/** A new transaction id. */
export function newTransaction(): string {
  count += 1;
  return `7000000${String(count).padStart(6, '0')}`;
}

/** The values of a credit in this form. */
export const values = (
  form: string,
  member: number | string,
  transaction: string,
  amount = '180.5',
): Changes => ({
  [nameOf(form, 'member')]: String(member),
  [nameOf(form, 'transaction')]: transaction,
  [nameOf(form, 'amount')]: amount,
  ...genuineOf(form).ofTransaction?.(transaction),
});

/** The values of a reversal, which may have its own transaction id. */
export const takenBack = (
  form: string,
  member: number | string,
  transaction: string,
  amount = '180.5',
): Changes => ({
  ...values(form, member, transaction, amount),
  ...genuineOf(form).takenBack(transaction, amount, `of-${transaction}`),
});

export async function startPostbacks(lifetime: Lifetime) {
  const site = await testSite(lifetime);
  const operator = await site.member({ role: 'admin' });
  const configure = (id: string, change: Record<string, unknown> = {}) =>
    site.call('PUT', `/api/admin/providers/${id}`, {
      as: operator,
      body: { isEnabled: true, apiKey: 'app', secret: secretOf(id), ...change },
    });
  for (const id of providers.keys()) assert.equal((await configure(id)).status, 200);

  const made = (form: string, changes: Changes, kind = 'postback'): RawPostback => {
    const { provider } = genuineOf(form);
    const address = `${site.origin}/api/webhooks/${kind}/${provider}`;
    return genuinePostback(form, changes, address, secretOf(provider));
  };
  const sendRaw = ({ url, headers }: RawPostback, method = 'GET'): Promise<Answer> =>
    site.call(method, url.slice(site.origin.length), {
      headers: { origin: 'https://elsewhere.example', ...(headers as Record<string, string>) },
    });
  return {
    site,
    configure,
    made,
    sendRaw,
    send: (form: string, changes: Changes) => sendRaw(made(form, changes)),
    balance: async (as: Person): Promise<string> =>
      (await site.call('GET', '/api/user/stats', { as })).body.balance,
    /** All money as one text, equal before and after a call without effect. */
    moneyState: async (): Promise<string> =>
      (
        await site.owner.one<{ state: string }>(sql`
          select md5(concat(
            (select string_agg(w::text, ';' order by member_id) from ledger.wallets w),
            (select string_agg(m::text, ';' order by member_id, seq) from ledger.movements m),
            (select string_agg(e::text, ';' order by provider, transaction_id) from earning.earnings e),
            (select string_agg(q::text, ';' order by id) from earning.quarantine q),
            (select string_agg(r::text, ';' order by provider, transaction_id) from earning.reversals r),
            (select string_agg(l::text, ';' order by provider, link, transaction_id) from earning.links l))) as state`)
      ).state,
    lastVerdict: async (): Promise<string> =>
      (
        await site.owner.one<{ verdict: string }>(
          sql`select verdict from earning.postbacks order by id desc limit 1`,
        )
      ).verdict,
  };
}
