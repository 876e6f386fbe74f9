import { findCaptchaFault } from './access/captcha.ts';
import type { Config } from './platform/config.ts';
import { verifyMail } from './platform/mail.ts';
import { findPhoneFault } from './platform/phone-verification.ts';
import { rateSourcesOf } from './platform/rate-source.ts';
import type { SealedPlace } from './platform/secret-rotation.ts';
import type { Secrets } from './platform/secrets.ts';
import { type MethodParts, readPaymentMethods, setUpRail } from './withdrawals/payment-methods.ts';
import { askSource, sourceName } from './withdrawals/rate-sources.ts';
import { payers } from './withdrawals/rates.ts';

/**
 * The command `doctor`: tries every service that the site depends on, each within its time limit, and says what is
 * wrong. It sends nothing, changes nothing and tells no secret.
 */
export type Finding = { name: string; isWell: boolean; text: string };

/** What is examined. `appOwnsLedger`: the application's role has the rights of the owner. */
export type Patient = MethodParts & {
  secrets: Secrets;
  appOwnsLedger: boolean;
  /** Statements that an administrator of the database must run. */
  neededStatements: readonly string[];
  readSealed: () => Promise<SealedPlace[]>;
};

/** Returns what is well. @throws Error with a sentence about what is wrong */
type Check = () => Promise<string>;

const LIMIT_MS = 10_000;
const SIMULATED = 'not set; the sandbox simulates it';

/** Examines everything at the same time. No check takes longer than `limitMs`. */
export async function examine(patient: Patient, limitMs = LIMIT_MS): Promise<Finding[]> {
  const methods = (await readPaymentMethods(patient)).filter(({ isEnabled }) => isEnabled);
  const checks: [string, Check][] = [
    ['roles', async () => checkRoles(patient)],
    ['secret', () => checkSecret(patient)],
    ['proxy', () => checkProxy(patient.config, limitMs)],
    ['mail', () => checkMail(patient.config)],
    ['captcha', () => checkCaptcha(patient.config)],
    ['sms', () => checkMessages(patient.config)],
    ...rateSourcesOf(patient.config).map((source): [string, Check] => [
      `rates ${sourceName(source)}`,
      () => checkRates(source),
    ]),
    ...methods.map(({ method }): [string, Check] => [`payments ${method}`, () => checkRail(patient, method)]),
  ];
  return Promise.all(checks.map(([name, check]) => findingOf(name, check, limitMs)));
}

async function findingOf(name: string, check: Check, limitMs: number): Promise<Finding> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`There is no answer within ${limitMs / 1000} s.`)), limitMs);
  });
  try {
    return { name, isWell: true, text: await Promise.race([check(), late]) };
  } catch (error) {
    return { name, isWell: false, text: sentenceOf(error as Error) };
  } finally {
    clearTimeout(timer);
  }
}

/** The error in one line. `fetch` names the cause in its cause. */
function sentenceOf(error: Error): string {
  const cause = error.cause instanceof Error ? error.cause : undefined;
  const text = cause === undefined ? error.message : `${error.message}: ${cause.message}`;
  return text.replaceAll(/\s+/g, ' ').trim() || error.name;
}

function checkRoles({ config, appOwnsLedger, neededStatements }: Patient): string {
  if (appOwnsLedger && config.mode === 'live')
    throw new Error('The role of DATABASE_URL owns the ledger. Give it a role of its own.');
  if (neededStatements.length > 0)
    throw new Error(`An administrator of the database must run: ${neededStatements.join('; ')}`);
  return appOwnsLedger
    ? 'the role owns the ledger, which live mode refuses'
    : 'the role can change no points';
}

async function checkSecret({ secrets, readSealed }: Patient): Promise<string> {
  const places = await readSealed();
  for (const { sealed, context } of places) secrets.open(sealed, context);
  return `APP_SECRET opens all ${places.length} stored secrets`;
}

async function checkProxy({ publicUrl, trustedProxies, mode }: Config, limitMs: number): Promise<string> {
  const isBehindProxy = publicUrl.startsWith('https:');
  if (isBehindProxy && trustedProxies.length === 0)
    throw new Error(
      'PUBLIC_URL is https, so a proxy stands before Earnest, but TRUSTED_PROXIES names none: ' +
        'all members count as one address.',
    );
  const answer = await fetch(`${publicUrl}/healthz`, {
    redirect: 'error',
    signal: AbortSignal.timeout(limitMs),
  });
  if (!answer.ok) throw new Error(`PUBLIC_URL answers ${answer.status} at /healthz.`);
  return mode === 'live' ? 'PUBLIC_URL answers' : 'the site answers';
}

async function checkMail(config: Config): Promise<string> {
  if (config.smtpUrl === null) return SIMULATED;
  await verifyMail(config);
  return 'the mail server lets Earnest in';
}

async function checkCaptcha({ hcaptcha, mode }: Config): Promise<string> {
  if (mode === 'sandbox') return SIMULATED;
  throwIf(await findCaptchaFault(hcaptcha));
  return 'hCaptcha knows the sitekey and the secret';
}

async function checkMessages({ twilio }: Config): Promise<string> {
  if (twilio.accountSid === '') return SIMULATED;
  throwIf(await findPhoneFault(twilio));
  return 'Twilio knows the account and the service';
}

async function checkRates(source: string): Promise<string> {
  const asked = payers.map(({ currency }) => currency);
  const prices = await askSource(source, asked);
  if (typeof prices === 'string') throw new Error(`The source gives no prices: ${prices}.`);
  const missing = asked.filter(({ id }) => !prices.has(id)).map(({ id }) => id);
  if (missing.length > 0) throw new Error(`The source has no price of ${missing.join(', ')}.`);
  return [...prices].map(([currency, { usd }]) => `${currency} ${usd} USD`).join(', ');
}

async function checkRail(patient: Patient, method: string): Promise<string> {
  const setup = await setUpRail(patient, method);
  if (setup.kind === 'unusable') throw new Error(setup.reason);
  const state = await setup.rail.check();
  if (state.kind === 'unavailable') throw new Error(state.reason);
  return `network ${state.network}, balance ${state.balance}`;
}

function throwIf(fault: string | undefined): void {
  if (fault !== undefined) throw new Error(fault);
}
