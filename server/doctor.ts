import { rm, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findCaptchaFault } from './access/captcha.ts';
import type { Config } from './platform/config.ts';
import { recordFolderOf } from './platform/data-folders.ts';
import { verifyMail } from './platform/mail.ts';
import { withMailbox } from './platform/mailbox.ts';
import { findPhoneFault } from './platform/phone-verification.ts';
import { rateSourcesOf } from './platform/rate-source.ts';
import { findRedisFault } from './platform/redis.ts';
import { inTime } from './platform/repeat.ts';
import type { SealedPlace } from './platform/secret-rotation.ts';
import type { Method, MethodParts } from './withdrawals/payment-methods.ts';
import { readMethodsToWatch, readRailState } from './withdrawals/rail-watch.ts';
import { askSource, sourceName } from './withdrawals/rate-sources.ts';
import { payers } from './withdrawals/rates.ts';
import { findRecordStart, tryRecord } from './withdrawals/sent-payments.ts';

/**
 * The command `doctor`: tries every service that the site depends on, each within its time limit, and says what is
 * wrong. What fails does not end the others. It sends nothing, changes nothing that stays, and tells no secret.
 */
export type Finding = { name: string; isWell: boolean; text: string };

/** The database, once it was reached. `appOwnsLedger`: the application's role has the rights of the owner. */
export type Reached = Pick<MethodParts, 'database'> & {
  /** What answers, in a few words. */
  description: string;
  appOwnsLedger: boolean;
  /** Statements that an administrator of the database must run. */
  neededStatements: readonly string[];
  readSealed: () => Promise<SealedPlace[]>;
};

/** What is examined. */
export type Patient = Omit<MethodParts, 'database'> & { reach: () => Promise<Reached> };

/** Returns what is well. @throws Error with a sentence about what is wrong */
type Check = () => Promise<string>;

const LIMIT_MS = 10_000;
const SIMULATED = 'not set; the sandbox simulates it';

/** Examines everything at the same time; of the database nothing before it is reached. Each takes up to `limitMs`. */
export async function examine(patient: Patient, limitMs = LIMIT_MS): Promise<Finding[]> {
  const { config, log } = patient;
  const [ofDatabase, ofServices] = await Promise.all([
    examineDatabase(patient, limitMs),
    findingsOf(
      [
        ['redis', () => checkRedis(config, log)],
        ['data-folder', () => checkDataFolder(config)],
        ['sent-payments', () => checkRecord(config)],
        ['proxy', () => checkProxy(config, limitMs)],
        ['mail', () => checkMail(config)],
        ...(config.imapUrl === null
          ? []
          : [['bounces', () => checkBounces(config, limitMs)] satisfies [string, Check]]),
        ['captcha', () => checkCaptcha(config)],
        ['sms', () => checkMessages(config)],
        ...rateSourcesOf(config).map((source): [string, Check] => [
          `rates ${sourceName(source)}`,
          () => checkRates(source),
        ]),
      ],
      limitMs,
    ),
  ]);
  return [...ofDatabase, ...ofServices];
}

async function examineDatabase(patient: Patient, limitMs: number): Promise<Finding[]> {
  const reaching = patient.reach();
  const ofAddress = await findingOf('database', async () => (await reaching).description, limitMs);
  if (!ofAddress.isWell) {
    const text = 'not tried, because the database could not be used';
    return [ofAddress, ...['roles', 'secret', 'payments'].map((name) => ({ name, isWell: false, text }))];
  }
  const reached = await reaching;
  const parts = { ...patient, ...reached };
  const payments = await paymentChecks(parts);
  return [
    ofAddress,
    ...(await findingsOf(
      [['roles', async () => checkRoles(parts)], ['secret', () => checkSecret(parts)], ...payments],
      limitMs,
    )),
  ];
}

/** The check of each method that may have to pay. Where the methods can't be read, one check says so. */
async function paymentChecks(parts: MethodParts): Promise<[string, Check][]> {
  try {
    return (await readMethodsToWatch(parts)).map((method) => [
      `payments ${method.definition.id}`,
      () => checkRail(parts, method),
    ]);
  } catch (error) {
    return [['payments', () => Promise.reject(error)]];
  }
}

const findingsOf = (checks: [string, Check][], limitMs: number): Promise<Finding[]> =>
  Promise.all(checks.map(([name, check]) => findingOf(name, check, limitMs)));

async function findingOf(name: string, check: Check, limitMs: number): Promise<Finding> {
  try {
    return { name, isWell: true, text: await inTime(check(), limitMs) };
  } catch (error) {
    return { name, isWell: false, text: sentenceOf(error as Error) };
  }
}

/** The error in one line. `fetch` names the cause in its cause, and a host with several addresses one for each. */
export function sentenceOf(error: Error): string {
  const causes = [error.cause, ...(error instanceof AggregateError ? error.errors : [])];
  const texts = [error, ...causes.filter((cause) => cause instanceof Error)].map(({ message }) => message);
  const text = texts.filter((message) => message !== '').join(': ');
  return text.replaceAll(/\s+/g, ' ').trim() || error.name;
}

function checkRoles({ config, appOwnsLedger, neededStatements }: Reached & Pick<Patient, 'config'>): string {
  if (appOwnsLedger && config.mode === 'live')
    throw new Error('The role of DATABASE_URL owns the ledger. Give it a role of its own.');
  if (neededStatements.length > 0)
    throw new Error(`An administrator of the database must run: ${neededStatements.join('; ')}`);
  return appOwnsLedger
    ? 'the role owns the ledger, which live mode refuses'
    : 'the role can change no points';
}

async function checkSecret({ secrets, readSealed }: Reached & Pick<Patient, 'secrets'>): Promise<string> {
  const places = await readSealed();
  for (const { sealed, context } of places) secrets.open(sealed, context);
  return `APP_SECRET opens all ${places.length} stored secrets`;
}

async function checkRedis({ redisUrl }: Config, log: MethodParts['log']): Promise<string> {
  if (redisUrl === null) return 'not set; this is the only node';
  throwIf(await findRedisFault(redisUrl, log));
  return 'Redis answers';
}

/** A file is written, because neither a full disk nor a mount without writing shows in the folder's mode. */
async function checkDataFolder({ dataDir }: Config): Promise<string> {
  const file = join(dataDir, `.doctor-${process.pid}`);
  try {
    await writeFile(file, 'written by the command doctor', { flag: 'wx', mode: 0o600 });
  } finally {
    await rm(file, { force: true });
  }
  return `DATA_DIR can be written, ${await freeSpaceOf(dataDir)}`;
}

/**
 * The folder of the record of sent payments may have another owner or a mount of its own. One that is missing is not
 * made: the site would not own it.
 */
async function checkRecord({ dataDir }: Config): Promise<string> {
  const folder = recordFolderOf(dataDir);
  if (await isMissing(folder))
    return 'no payment was sent from this DATA_DIR, or its folder node/payments was removed';
  await tryRecord(dataDir);
  const start = await findRecordStart(dataDir);
  const span = start === undefined ? 'it has no payment' : `it is whole since ${start}`;
  return `the record of sent payments can be written, ${await freeSpaceOf(folder)}; ${span}`;
}

async function isMissing(path: string): Promise<boolean> {
  try {
    await stat(path);
    return false;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true;
    throw error;
  }
}

async function freeSpaceOf(folder: string): Promise<string> {
  const { bavail, bsize } = await statfs(folder);
  return `${Math.floor((bavail * bsize) / 2 ** 20)} MiB are free`;
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
  if (mode !== 'live') return 'the site answers';
  const degraded = await readDegraded(publicUrl, limitMs);
  if (degraded === undefined) return 'PUBLIC_URL answers; /readyz is closed, so what it forwards is not seen';
  if (degraded.includes('proxy'))
    throw new Error(
      'The proxy forwards addresses from an address that TRUSTED_PROXIES does not name (see the log).',
    );
  return 'PUBLIC_URL answers, from a proxy that TRUSTED_PROXIES names or that forwards no address';
}

/**
 * What is not well at the node that answered. This very call makes `proxy` one of it, if its proxy is in a private
 * network and not named.
 */
async function readDegraded(publicUrl: string, limitMs: number): Promise<string[] | undefined> {
  const signal = AbortSignal.timeout(limitMs);
  const answer = await fetch(`${publicUrl}/readyz`, { redirect: 'error', signal });
  const body: unknown = answer.headers.get('content-type')?.includes('json') ? await answer.json() : null;
  const degraded = (body as { degraded?: unknown } | null)?.degraded;
  return Array.isArray(degraded) ? degraded.map(String) : undefined;
}

async function checkMail(config: Config): Promise<string> {
  if (config.smtpUrl === null) return SIMULATED;
  await verifyMail(config);
  return 'the mail server lets Earnest in';
}

async function checkBounces({ imapUrl }: Config, limitMs: number): Promise<string> {
  await withMailbox(imapUrl ?? '', AbortSignal.timeout(limitMs), async () => {});
  return 'the mailbox of reports can be read';
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

async function checkRail(parts: MethodParts, method: Method): Promise<string> {
  const state = await readRailState(parts, method);
  if (state.kind === 'unavailable') throw new Error(state.reason);
  return `network ${state.network}, balance ${state.balance}`;
}

function throwIf(fault: string | undefined): void {
  if (fault !== undefined) throw new Error(fault);
}
