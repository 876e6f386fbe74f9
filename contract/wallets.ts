import { z } from 'zod';
import { connectionTest } from './connection.ts';
import { emailAddress } from './email.ts';
import { endpoint } from './endpoint.ts';
import { optionalText, text, time } from './fields.ts';
import { settingsVersion } from './settings-version.ts';

/** The site's accounts at PayPal and at the crypto provider, and what all paying accounts hold. */

export const walletEnvironments = ['sandbox', 'production'] as const;
const environment = z.enum(walletEnvironments, 'Must be sandbox or production');
export const defaultCurrencies = ['btc', 'ltc', 'dash', 'eth', 'usdt'] as const;

const secret = text(1_000);
const optionalSecret = optionalText(1_000);

const paypal = z.object({
  clientId: z.string(),
  /** Masked, as every secret; empty if none is stored. */
  clientSecret: z.string(),
  businessEmail: z.string(),
  environment,
  webhookId: z.string(),
  version: settingsVersion,
});
export type PaypalWallet = z.infer<typeof paypal>;

/** Optional fields that are left out keep what is stored. */
export const paypalForm = z.strictObject({
  clientId: text(200),
  clientSecret: secret,
  businessEmail: emailAddress,
  environment,
  webhookId: optionalText(100).optional(),
  /** The version that the operator saw. Settings that changed since are not changed. */
  version: settingsVersion.optional(),
});

const nowpayments = z.object({
  apiKey: z.string(),
  ipnSecret: z.string(),
  environment,
  supportedCurrencies: z.array(z.string()),
  /** For payouts the provider also asks for its own sign-in and a code of the second factor. */
  email: z.string(),
  password: z.string(),
  totpSecret: z.string(),
  version: settingsVersion,
});
export type NowpaymentsWallet = z.infer<typeof nowpayments>;

export const nowpaymentsForm = z.strictObject({
  apiKey: secret,
  ipnSecret: secret,
  environment,
  supportedCurrencies: z
    .array(z.string().regex(/^[a-z0-9]{2,20}$/, 'Must be a currency such as ltc'))
    .max(400, 'At most 400 currencies')
    .optional(),
  email: z.union([z.literal(''), emailAddress]).optional(),
  password: optionalSecret.optional(),
  totpSecret: optionalSecret.optional(),
  version: settingsVersion.optional(),
});

export const readPaypalWallet = endpoint({
  method: 'GET',
  path: '/api/admin/wallet/paypal',
  summary: 'The site’s PayPal account; secrets are masked',
  access: 'operator',
  topic: 'settings',
  reply: paypal,
});

export const savePaypalWallet = endpoint({
  method: 'POST',
  path: '/api/admin/wallet/paypal',
  summary: 'Store the site’s PayPal account',
  access: 'operator',
  act: 'wallet.change',
  refreshes: ['settings'],
  body: paypalForm,
  reply: paypal,
  refusals: ['settings-changed'],
});

export const readNowpaymentsWallet = endpoint({
  method: 'GET',
  path: '/api/admin/wallet/nowpayments',
  summary: 'The site’s account at the crypto provider; secrets are masked',
  access: 'operator',
  topic: 'settings',
  reply: nowpayments,
});

export const saveNowpaymentsWallet = endpoint({
  method: 'POST',
  path: '/api/admin/wallet/nowpayments',
  summary: 'Store the site’s account at the crypto provider',
  access: 'operator',
  act: 'wallet.change',
  refreshes: ['settings'],
  body: nowpaymentsForm,
  reply: nowpayments,
  refusals: ['settings-changed'],
});

export const testPaypalWallet = endpoint({
  method: 'POST',
  path: '/api/admin/wallet/paypal/test',
  summary: 'Ask PayPal whether it knows these credentials, or the stored ones; pays nothing',
  access: 'operator',
  act: 'wallet.test',
  body: paypalForm.omit({ version: true }).partial().optional(),
  reply: connectionTest,
});

export const testNowpaymentsWallet = endpoint({
  method: 'POST',
  path: '/api/admin/wallet/nowpayments/test',
  summary: 'Ask the crypto provider whether it knows these credentials, or the stored ones; pays nothing',
  access: 'operator',
  act: 'wallet.test',
  body: nowpaymentsForm.omit({ version: true }).partial().optional(),
  reply: connectionTest,
});

const reading = z.object({
  /** `connected` only after an answer that knew the credentials, of the last minutes. */
  status: z.enum(['connected', 'error', 'not_configured']),
  /** When it last answered so; null if it never did. */
  lastUpdated: time.nullable(),
  /** Why it is not connected. */
  trouble: z.string().nullable(),
});
/** Decimal text in the currency; null if the company does not say. */
const withBalance = reading.extend({ balance: z.string().nullable(), currency: z.string() });
export type WalletReading = z.infer<typeof reading>;

export const readWalletBalances = endpoint({
  method: 'GET',
  path: '/api/admin/wallet/balances',
  summary: 'What each paying account answered last; no call asks anybody',
  access: 'operator',
  topic: 'settings',
  reply: z.object({ paypal: withBalance, nowpayments: reading, litecoin: withBalance, dash: withBalance }),
});
