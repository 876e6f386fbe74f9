import type { ConnectionStep } from '#contract/connection.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { sentence } from '#contract/operator-sentences.ts';
import {
  defaultCurrencies,
  type NowpaymentsWallet,
  type PaypalWallet,
  type saveNowpaymentsWallet,
  type savePaypalWallet,
  type testNowpaymentsWallet,
  type testPaypalWallet,
} from '#contract/wallets.ts';
import { changedFields, recordActs } from '#platform/audit-trail.ts';
import type { Reader } from '#platform/database.ts';
import { InvalidRequest } from '#platform/http/problem.ts';
import type { Platform } from '#platform/platform.ts';
import type { SealedPlace } from '#platform/secret-rotation.ts';
import { MASKED } from '#platform/secrets.ts';
import { refuseChanged, versionOf } from '#platform/settings-version.ts';
import { type Asked, askNowpayments, askPaypal, type Environment } from './connections.ts';
import type { Company } from './queries.ts';
import * as queries from './queries.ts';

/**
 * The site's accounts at PayPal and at the crypto provider. The credentials are one sealed text for each. Secrets are
 * never shown and go only to the environment that they were stored for.
 */
export type AccountParts = Pick<Platform, 'database' | 'config' | 'secrets' | 'log'>;

type Credentials = { environment: Environment; [name: string]: string | readonly string[] };
type Given = Readonly<Record<string, string | readonly string[] | undefined>>;

const initial: Record<Company, Credentials> = {
  paypal: { clientId: '', clientSecret: '', businessEmail: '', environment: 'sandbox', webhookId: '' },
  nowpayments: {
    apiKey: '',
    ipnSecret: '',
    environment: 'sandbox',
    supportedCurrencies: [...defaultCurrencies],
    email: '',
    password: '',
    totpSecret: '',
  },
};

const secretNames: Record<Company, readonly string[]> = {
  paypal: ['clientSecret'],
  nowpayments: ['apiKey', 'ipnSecret', 'password', 'totpSecret'],
};

/** Without these nothing can be asked. */
const neededNames: Record<Company, readonly string[]> = {
  paypal: ['clientId', 'clientSecret'],
  nowpayments: ['apiKey'],
};

const contextOf = (company: Company) => `wallets.accounts ${company} credentials`;

/** The stored credentials of companies, for sealing them anew. */
export const sealedCompanyCredentials = async (owner: Reader): Promise<SealedPlace[]> =>
  (await queries.readAccounts(owner)).map(({ company, sealedCredentials: sealed }) => ({
    context: contextOf(company),
    sealed,
    replace: (next) => queries.replaceSealed(owner, company, sealed, next),
  }));

/** Opens what is stored; the first values if nothing is. Undefined if it can't be read, which is logged. */
function openCredentials(
  { secrets, log }: Pick<AccountParts, 'secrets' | 'log'>,
  company: Company,
  sealed: string | undefined,
): Credentials | undefined {
  if (sealed === undefined) return initial[company];
  try {
    return { ...initial[company], ...JSON.parse(secrets.open(sealed, contextOf(company))) };
  } catch (error) {
    log.error({ company, name: (error as Error).name }, 'the credentials of a company can’t be read');
    return undefined;
  }
}

/** The credentials as operators see them. */
const shown = (company: Company, credentials: Credentials | undefined): Credentials => {
  const values = credentials ?? initial[company];
  const masked = secretNames[company].map((name) => [
    name,
    credentials === undefined || values[name] !== '' ? MASKED : '',
  ]);
  return { ...values, ...Object.fromEntries(masked) };
};

/**
 * The stored credentials with the given ones in their place. The mask keeps a secret.
 * @throws Refusal `invalid-request` for a mask without a stored secret, and for another environment without each secret
 */
function withGiven(company: Company, stored: Credentials | undefined, given: Given): Credentials {
  const base = stored ?? initial[company];
  const isKept = (name: string) => given[name] === undefined || given[name] === MASKED;
  const isMoved = given.environment !== undefined && given.environment !== base.environment;
  const faults = secretNames[company].flatMap((name) => {
    if (given[name] === MASKED && (base[name] === '' || stored === undefined))
      return [{ path: name, message: 'No secret is stored, so type it in' }];
    if (isMoved && isKept(name) && base[name] !== '')
      return [{ path: name, message: 'Type it in again: it was stored for the other environment' }];
    return [];
  });
  if (faults.length > 0) throw new InvalidRequest(faults);
  const typed = Object.entries(given).filter(([name, value]) => value !== undefined && !isKept(name));
  return { ...base, ...Object.fromEntries(typed) } as Credentials;
}

async function read(parts: AccountParts, company: Company): Promise<Credentials & { version: string }> {
  const row = await queries.findAccount(parts.database, company);
  return {
    ...shown(company, openCredentials(parts, company, row?.sealedCredentials)),
    version: versionOf({ version: row?.version ?? 0 }),
  };
}

export const readPaypal = async (parts: AccountParts) =>
  (await read(parts, 'paypal')) as unknown as PaypalWallet;
export const readNowpayments = async (parts: AccountParts) =>
  (await read(parts, 'nowpayments')) as unknown as NowpaymentsWallet;

async function save(
  parts: AccountParts,
  company: Company,
  { version, ...given }: Given & { version?: string | undefined },
  operatorId: number,
): Promise<void> {
  await parts.database.transaction(async (tx) => {
    const row = await queries.lockAccount(tx, company);
    refuseChanged(version, { version: row?.version ?? 0 });
    const stored = openCredentials(parts, company, row?.sealedCredentials);
    const next = withGiven(company, stored, given);
    const newCredentials = secretNames[company].filter((name) => next[name] !== (stored?.[name] ?? ''));
    const fields = changedFields(shown(company, stored), {
      ...shown(company, next),
      ...(newCredentials.length === 0 ? {} : { newCredentials }),
    });
    if (fields === undefined && row !== undefined) return;
    await queries.storeAccount(tx, company, parts.secrets.seal(JSON.stringify(next), contextOf(company)));
    await recordActs(tx, [
      { actor: operatorId, act: 'wallet.change', target: { kind: 'wallet', id: company }, ...fields },
    ]);
  });
}

export async function savePaypal(
  parts: AccountParts,
  body: BodyOf<typeof savePaypalWallet>,
  operatorId: number,
): Promise<PaypalWallet> {
  await save(parts, 'paypal', body, operatorId);
  return readPaypal(parts);
}

export async function saveNowpayments(
  parts: AccountParts,
  body: BodyOf<typeof saveNowpaymentsWallet>,
  operatorId: number,
): Promise<NowpaymentsWallet> {
  await save(parts, 'nowpayments', body, operatorId);
  return readNowpayments(parts);
}

/** Asks the company with these credentials. */
async function askCompany(
  { config }: AccountParts,
  company: Company,
  credentials: Credentials,
): Promise<Asked> {
  const missing = neededNames[company].filter((name) => credentials[name] === '');
  if (missing.length > 0) {
    const text = sentence('account-incomplete', { nameList: missing.join(', ') });
    return { steps: [{ name: 'account', ok: false, text }], balance: null };
  }
  const asked = credentials as unknown as Parameters<typeof askPaypal>[1] &
    Parameters<typeof askNowpayments>[1];
  return company === 'paypal'
    ? askPaypal(config.companies.paypal, asked)
    : askNowpayments(config.companies.nowpayments, asked);
}

/** An operator's test, with the values that are being typed in. It stores only its act. */
export async function testCompany(
  parts: AccountParts,
  company: Company,
  body: BodyOf<typeof testPaypalWallet> | BodyOf<typeof testNowpaymentsWallet>,
  operatorId: number,
): Promise<{ steps: ConnectionStep[] }> {
  const row = await queries.findAccount(parts.database, company);
  const stored = openCredentials(parts, company, row?.sealedCredentials);
  const isUnreadable = stored === undefined && body === undefined;
  const { steps } = isUnreadable
    ? { steps: [{ name: 'account', ok: false, text: sentence('credentials-unreadable') }] }
    : await askCompany(parts, company, withGiven(company, stored, body ?? {}));
  const failed = steps.find(({ ok }) => !ok);
  await parts.database.transaction((tx) =>
    recordActs(tx, [
      {
        actor: operatorId,
        act: 'wallet.test',
        target: { kind: 'wallet', id: company },
        after: { failedStep: failed?.name ?? null },
      },
    ]),
  );
  return { steps };
}

/** Asks each company of which credentials are stored, and keeps what it answers. A sweep calls it once a minute. */
export async function lookAtCompanies(parts: AccountParts): Promise<void> {
  for (const row of await queries.readAccounts(parts.database)) {
    const credentials = openCredentials(parts, row.company, row.sealedCredentials);
    const { steps, balance } =
      credentials === undefined
        ? { steps: [{ name: 'account', ok: false, text: sentence('credentials-unreadable') }], balance: null }
        : await askCompany(parts, row.company, credentials);
    const trouble = steps.find(({ ok }) => !ok)?.text ?? null;
    await queries.storeReading(parts.database, row, { balance, trouble });
  }
}
