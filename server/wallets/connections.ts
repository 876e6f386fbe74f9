import { z } from 'zod';
import type { ConnectionStep } from '#contract/connection.ts';
import { sentence } from '#contract/operator-sentences.ts';

/**
 * Asks PayPal and the crypto provider whether they know the site's credentials. It pays nothing. A step is passed only
 * by an answer of the company itself; the first that fails ends the test. No answer of a company is quoted, because it
 * may repeat a secret.
 */
export type Environment = 'sandbox' | 'production';
export type Origins = { paypal: Record<Environment, string>; nowpayments: Record<Environment, string> };

/** What was found, and the balance if the company says it. */
export type Asked = { steps: ConnectionStep[]; balance: string | null };

const TIMEOUT_MS = 5_000;
const ANSWER_BYTES_MAX = 256 * 1024;

type Answer = { status: number; body: unknown } | { silent: true };

async function ask(url: string, init: RequestInit): Promise<Answer> {
  try {
    const reply = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
    return { status: reply.status, body: await readJson(reply) };
  } catch {
    // Network, time or size: the company did not answer. The error may name the address with a secret.
    return { silent: true };
  }
}

/** The JSON of a reply of bounded size; null if it is none. */
async function readJson(reply: Response): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let byteCount = 0;
  for await (const chunk of reply.body ?? []) {
    byteCount += chunk.length;
    if (byteCount > ANSWER_BYTES_MAX) throw new Error('The answer is too long');
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    return null;
  }
}

const ok = (name: string, text: string): ConnectionStep => ({ name, ok: true, text });
const failed = (name: string, text: string): ConnectionStep => ({ name, ok: false, text });

/** What an answer without the expected content means. */
function faultOf(answer: Answer, company: string, nameList: string): ConnectionStep {
  if ('silent' in answer) return failed('answer', sentence('company-silent', { company }));
  if (answer.status === 400 || answer.status === 401 || answer.status === 403)
    return failed('credentials', sentence('company-refuses', { company, nameList }));
  return failed('answer', sentence('company-unexpected', { company, status: answer.status }));
}

const token = z.object({ access_token: z.string().min(1), scope: z.string().default('') });
const PAYOUT_SCOPE = 'https://uri.paypal.com/payments/payouts';
const balances = z.object({
  balances: z.array(
    z.object({
      currency: z.string(),
      available_balance: z.object({ value: z.string().regex(/^-?\d{1,15}(\.\d{1,8})?$/) }),
    }),
  ),
});

export type PaypalCredentials = { clientId: string; clientSecret: string; environment: Environment };

/** Signs in as a program does (OAuth 2.0 client credentials), and reads the dollars if the account allows it. */
export async function askPaypal(
  origins: Origins['paypal'],
  { clientId, clientSecret, environment }: PaypalCredentials,
): Promise<Asked> {
  const origin = origins[environment];
  const answer = await ask(`${origin}/v1/oauth2/token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
  });
  const granted = 'body' in answer && answer.status === 200 ? token.safeParse(answer.body) : undefined;
  if (!granted?.success)
    return { steps: [faultOf(answer, 'PayPal', 'clientId, clientSecret, environment')], balance: null };
  const steps = [ok('credentials', sentence('company-knows', { company: 'PayPal' }))];
  const { access_token, scope } = granted.data;
  if (!scope.split(' ').includes(PAYOUT_SCOPE))
    return { steps: [...steps, failed('payouts', sentence('paypal-no-payouts'))], balance: null };
  steps.push(ok('payouts', sentence('paypal-payouts')));
  const read = await ask(`${origin}/v1/reporting/balances?currency_code=USD`, {
    headers: { authorization: `Bearer ${access_token}` },
  });
  const found = 'body' in read && read.status === 200 ? balances.safeParse(read.body) : undefined;
  const usd = found?.data?.balances.find(({ currency }) => currency === 'USD')?.available_balance.value;
  // Many accounts may not read their balance by the API. They can pay all the same.
  steps.push(
    ok('balance', usd === undefined ? sentence('paypal-no-balance') : sentence('paypal-balance', { usd })),
  );
  return { steps, balance: usd ?? null };
}

export type NowpaymentsCredentials = {
  apiKey: string;
  email: string;
  password: string;
  environment: Environment;
};

const coins = z.record(z.string(), z.object({ amount: z.union([z.number(), z.string()]) }));
const signedIn = z.object({ token: z.string().min(1) });

/** Reads the balances with the API key, and signs in with e-mail and password if both are given. */
export async function askNowpayments(
  origins: Origins['nowpayments'],
  { apiKey, email, password, environment }: NowpaymentsCredentials,
): Promise<Asked> {
  const company = 'NOWPayments';
  const origin = origins[environment];
  const read = await ask(`${origin}/v1/balance`, { headers: { 'x-api-key': apiKey } });
  const known = 'body' in read && read.status === 200 && coins.safeParse(read.body).success;
  if (!known) return { steps: [faultOf(read, company, 'apiKey, environment')], balance: null };
  const steps = [ok('credentials', sentence('company-knows', { company }))];
  if (email === '' || password === '')
    return { steps: [...steps, ok('payouts', sentence('nowpayments-no-sign-in'))], balance: null };
  const answer = await ask(`${origin}/v1/auth`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  const isIn = 'body' in answer && answer.status === 200 && signedIn.safeParse(answer.body).success;
  const last = isIn
    ? ok('payouts', sentence('nowpayments-signed-in'))
    : faultOf(answer, company, 'email, password');
  return { steps: [...steps, last], balance: null };
}
