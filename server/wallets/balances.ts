import type { ReplyOf } from '#contract/endpoint.ts';
import { sentence } from '#contract/operator-sentences.ts';
import type { readWalletBalances as readEndpoint, WalletReading } from '#contract/wallets.ts';
import { readLastLook } from '../withdrawals/last-looks.ts';
import type { AccountRow, Company } from './queries.ts';
import * as queries from './queries.ts';
import type { AccountParts } from './wallets.ts';

/** What each paying account answered at the last look. It asks nobody, so that a page may read it again and again. */

/** Accounts are looked at once a minute. After several looks without an answer the last one says nothing of now. */
const FRESH_MS = 5 * 60_000;

type Balances = ReplyOf<typeof readEndpoint>;

const notConfigured: WalletReading = { status: 'not_configured', lastUpdated: null, trouble: null };
const failing = (trouble: string, at: Date | null): WalletReading => ({
  status: 'error',
  lastUpdated: at?.toISOString() ?? null,
  trouble,
});
const connected = (at: Date): WalletReading => ({
  status: 'connected',
  lastUpdated: at.toISOString(),
  trouble: null,
});

function companyReading(row: AccountRow | undefined, now: Date): WalletReading {
  if (row === undefined) return notConfigured;
  if (row.isConnected === null) return failing(sentence('wallet-not-asked'), null);
  if (!row.isConnected || row.answeredAt === null)
    return failing(row.trouble ?? sentence('wallet-not-asked'), row.answeredAt);
  return now.getTime() - row.answeredAt.getTime() > FRESH_MS
    ? failing(sentence('wallet-silent'), row.answeredAt)
    : connected(row.answeredAt);
}

/** A coin's wallet, by the last look of the watch of rails, which keeps a row only after an answer. */
async function coinReading(parts: AccountParts, method: string, now: Date): Promise<Balances['litecoin']> {
  const { isConfigured, trouble, isWatched, balance, currency, notedAt } = await readLastLook(parts, method);
  const known = { balance, currency };
  if (!isConfigured) return { ...notConfigured, balance: null, currency };
  if (trouble !== null) return { ...failing(trouble, notedAt), ...known };
  if (!isWatched) return { ...failing(sentence('wallet-not-watched'), notedAt), ...known };
  return notedAt !== null && now.getTime() - notedAt.getTime() <= FRESH_MS
    ? { ...connected(notedAt), ...known }
    : { ...failing(sentence('wallet-silent'), notedAt), ...known };
}

export async function readWalletBalances(parts: AccountParts): Promise<Balances> {
  const [rows, { now }] = await Promise.all([
    queries.readAccounts(parts.database),
    queries.readNow(parts.database),
  ]);
  const of = (company: Company) => rows.find((row) => row.company === company);
  const [litecoin, dash] = await Promise.all([
    coinReading(parts, 'litecoin', now),
    coinReading(parts, 'dash', now),
  ]);
  return {
    paypal: { ...companyReading(of('paypal'), now), balance: of('paypal')?.balance ?? null, currency: 'USD' },
    nowpayments: companyReading(of('nowpayments'), now),
    litecoin,
    dash,
  };
}
