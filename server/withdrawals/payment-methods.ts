import { isDeepStrictEqual } from 'node:util';
import type { BodyOf } from '#contract/endpoint.ts';
import { sentence } from '#contract/operator-sentences.ts';
import { refusals } from '#contract/refusals.ts';
import {
  type changePaymentMethod as changeEndpoint,
  type PaymentMethod,
  paymentMethod,
} from '#contract/withdrawals-methods.ts';
import { type ActorOrId, changedFields, recordActs } from '#platform/audit-trail.ts';
import type { Config } from '#platform/config.ts';
import type { Reader } from '#platform/database.ts';
import { faultsOf, InvalidRequest } from '#platform/http/problem.ts';
import type { Platform } from '#platform/platform.ts';
import { refuse } from '#platform/refusal.ts';
import type { SealedPlace } from '#platform/secret-rotation.ts';
import { MASKED, SealedError } from '#platform/secrets.ts';
import { refuseChanged, versionOf } from '#platform/settings-version.ts';
import {
  findMethodRow,
  lockMethod,
  type MethodLimits,
  type MethodRow,
  readMethodLimits,
  readMethodRows,
  readSealedCredentials,
  replaceSealedCredentials,
  updateMethod,
} from './queries.ts';
import type { Credentials, Rail, RailDefinition, Scalar } from './rails/rail.ts';
import { findDefinition, rails, shownCredentialsShape } from './rails/registry.ts';
import { silentRail } from './rails/silent-rail.ts';
import { isGivenUp } from './reconciliation-queries.ts';

/**
 * The payment methods with the operators' settings: each registered rail with its limits and fee in points, and the
 * account that pays. Credentials are stored as one encrypted text in the rail's own shape. Secret ones are never shown.
 */
export type MethodParts = Pick<Platform, 'database' | 'config' | 'secrets' | 'log'>;

/** A registered rail with its stored settings. */
export type Method = { definition: RailDefinition; row: MethodRow };

/** The shape of a payment method in the OpenAPI document. */
export const publishedMethod = paymentMethod.extend({ credentials: shownCredentialsShape });

export type PaymentMethodChange = BodyOf<typeof changeEndpoint>;

export const unsetRow = (method: string): MethodRow => ({
  method,
  isEnabled: false,
  minimumPoints: 0n,
  maximumPoints: 0n,
  feePoints: 0n,
  sealedCredentials: null,
  settings: {},
});

/** Reads all methods in the registry's order. */
export async function readMethodList({ database }: Pick<MethodParts, 'database'>): Promise<Method[]> {
  const rows = await readMethodRows(database);
  return rails.map((definition) => ({
    definition,
    row: rows.find(({ method }) => method === definition.id) ?? unsetRow(definition.id),
  }));
}

export async function findMethod(
  { database }: Pick<MethodParts, 'database'>,
  method: string,
): Promise<Method | undefined> {
  const definition = findDefinition(method);
  return definition && { definition, row: (await findMethodRow(database, method)) ?? unsetRow(method) };
}

export const UNREADABLE = sentence('credentials-unreadable');

/** A method's rail on its current account, or the reason why none can be used. */
export type RailSetup = { kind: 'usable'; rail: Rail } | { kind: 'unusable'; reason: string };

/** Why no rail can be used, and the error that is the cause, if one is. */
type Unusable = Extract<RailSetup, { kind: 'unusable' }> & { log?: { cause: unknown; message: string } };

/**
 * Sets up a method's rail. An account that is missing, not allowed or not readable, and an error of the rail as it
 * connects, are answers and no errors, so that they stop this method alone. Throws only if the database fails.
 */
export async function setUpRail(platform: MethodParts, method: string): Promise<RailSetup> {
  const found = await findMethod(platform, method);
  if (!found) return { kind: 'unusable', reason: UNSET };
  const setup = connectRail(platform, found);
  if (setup.kind === 'usable') return setup;
  if (setup.log) platform.log.error({ method, ...placeOf(setup.log.cause) }, setup.log.message);
  return { kind: 'unusable', reason: setup.reason };
}

/** Sets up a method's rail for an operator's act. One that was given up after a restore answers nothing. */
export async function setUpRailToAct(platform: MethodParts, method: string): Promise<RailSetup> {
  const setup = await setUpRail(platform, method);
  const isLost = setup.kind === 'unusable' && (await isGivenUp(platform.database, method));
  return isLost ? { kind: 'usable', rail: silentRail(setup.reason) } : setup;
}

const UNSET = refusals['payout-unavailable'].detail;

/** Connects a method's rail to its stored account. Logs nothing, so that members' reads can ask it. */
function connectRail(
  { secrets, config }: Pick<MethodParts, 'secrets' | 'config'>,
  method: Method,
): Extract<RailSetup, { kind: 'usable' }> | Unusable {
  if (!method.definition.connect) return { kind: 'unusable', reason: UNSET };
  try {
    return connectWith(config, method, openCredentials(secrets, method));
  } catch (cause) {
    return { kind: 'unusable', reason: UNREADABLE, log: { cause, message: UNREADABLE_LOGGED } };
  }
}

/** Connects a method's rail with these credentials and its stored settings. Throws nothing. */
export function connectWith(
  config: Config,
  { definition, row }: Method,
  credentials: Credentials,
): Extract<RailSetup, { kind: 'usable' }> | Unusable {
  const { connect, account } = definition;
  if (!connect) return { kind: 'unusable', reason: UNSET };
  const settings = account.settings.safeParse(row.settings);
  if (!settings.success) {
    const faults = settings.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    return { kind: 'unusable', reason: `${sentence('settings-invalid')} ${faults.join('; ')}` };
  }
  try {
    const rail = connect({ credentials, settings: settings.data }, config);
    return rail === undefined ? { kind: 'unusable', reason: UNSET } : { kind: 'usable', rail };
  } catch (cause) {
    const reason = sentence('rail-not-set-up');
    return { kind: 'unusable', reason, log: { cause, message: 'a rail could not be set up' } };
  }
}

/**
 * Reads the methods that members may choose, in the registry's order: enabled, with a destination, and with all that
 * the rail needs to call the party that pays. Whether that party answers is not asked.
 */
export async function readOfferedMethods(
  platform: MethodParts,
): Promise<{ definition: RailDefinition; limits: MethodLimits }[]> {
  const enabled = await readMethodLimits(platform.database);
  return (await readMethodList(platform)).flatMap((method) => {
    const { definition } = method;
    const limits = enabled.find((one) => one.method === definition.id);
    const isOffered =
      limits !== undefined &&
      definition.destination !== null &&
      connectRail(platform, method).kind === 'usable';
    return isOffered ? [{ definition, limits }] : [];
  });
}

/** An error's name and stack for the log. A foreign error's message is left out, because it may quote credentials. */
export function placeOf(error: unknown): { name: string; message?: string; frames: string[] } {
  const { name, stack = '' } = error as Error;
  if (error instanceof SealedError) return { name, message: error.message, frames: [] };
  return { name, frames: stack.split('\n').filter((line) => line.startsWith('    at ')) };
}

/** Finds a method's rail on its current account. Undefined if none can be used. */
export async function findRail(platform: MethodParts, method: string): Promise<Rail | undefined> {
  const setup = await setUpRail(platform, method);
  return setup.kind === 'usable' ? setup.rail : undefined;
}

/** Returns the displayed text of a stored destination. */
export const destinationText = (method: string, destination: string): string =>
  findDefinition(method)?.destination?.displayText(destination) ?? destination;

const contextOf = (method: string) => `withdrawals.methods ${method} credentials`;

/** The stored credentials of payment methods, for sealing them anew. */
export const sealedCredentials = async (owner: Reader): Promise<SealedPlace[]> =>
  (await readSealedCredentials(owner)).map(({ method, sealed }) => ({
    context: contextOf(method),
    sealed,
    replace: (next) => replaceSealedCredentials(owner, method, sealed, next),
  }));

export const credentialNames = ({ account }: RailDefinition): string[] =>
  Object.keys(account.credentials.shape);

const isSecret = ({ account }: RailDefinition, name: string): boolean => !account.readable.includes(name);

const secretNames = (definition: RailDefinition): string[] =>
  credentialNames(definition).filter((name) => isSecret(definition, name));

/** Opens the stored credentials. Throws if they were sealed with another APP_SECRET, are damaged or do not fit. */
function openCredentials(secrets: MethodParts['secrets'], { definition, row }: Method): Credentials {
  if (row.sealedCredentials === null) return {};
  const opened = secrets.open(row.sealedCredentials, contextOf(row.method));
  const stored = Object.entries(JSON.parse(opened) as object);
  const known = stored.filter(([name]) => credentialNames(definition).includes(name));
  return definition.account.credentials.parse(Object.fromEntries(known));
}

const UNREADABLE_LOGGED = 'the credentials of a payment method can’t be read';

/** Finds the stored credentials. Undefined if they can't be read. The log says so, without any part of them. */
export function findCredentials(
  { secrets, log }: Pick<MethodParts, 'secrets' | 'log'>,
  method: Method,
): Credentials | undefined {
  try {
    return openCredentials(secrets, method);
  } catch (error) {
    log.error({ method: method.row.method, ...placeOf(error) }, UNREADABLE_LOGGED);
    return undefined;
  }
}

/** The display names of payment methods, by id. */
export const methodNames: ReadonlyMap<string, string> = new Map(rails.map(({ id, name }) => [id, name]));

/** Their Korean names, which the server needs for mails; the web has words of its own. */
export const koreanMethodNames: ReadonlyMap<string, string> = new Map(
  rails.map(({ id, koreanName }) => [id, koreanName]),
);

/** The symbols of the currencies of payment methods, by id. */
export const methodCurrencies: ReadonlyMap<string, string> = new Map(
  rails.map(({ id, currency }) => [id, currency.symbol]),
);

/** Reads all payment methods for operators. Secrets are masked. */
export async function readPaymentMethods(platform: MethodParts): Promise<PaymentMethod[]> {
  return (await readMethodList(platform)).map((method) => paymentMethodOf(platform, method));
}

/**
 * A payment method in the contract's shape. Credentials are masked, except those that the rail declares readable.
 * Credentials that can't be read are all masked.
 */
export function paymentMethodOf(platform: MethodParts, { definition, row }: Method): PaymentMethod {
  const { initial, endpointNames } = definition.account;
  const stored = findCredentials(platform, { definition, row });
  const credentials: Record<string, Scalar> = initial(platform.config);
  for (const name of credentialNames(definition)) {
    const value = stored === undefined ? MASKED : stored[name];
    if (value !== undefined && value !== '') credentials[name] = isSecret(definition, name) ? MASKED : value;
  }
  return {
    id: definition.id,
    method: definition.id,
    name: definition.name,
    isEnabled: row.isEnabled,
    credentials,
    secretNames: secretNames(definition),
    endpointNames: [...endpointNames],
    settings: {
      minimumAmount: Number(row.minimumPoints),
      maximumAmount: Number(row.maximumPoints),
      processingFee: Number(row.feePoints),
    },
    version: versionOf(row),
  };
}

/**
 * Changes the given settings of a method and returns the whole method.
 * @throws Refusal `not-found`; `invalid-request` for credentials that the rail does not have or does not allow;
 * `settings-changed` if the method has another version than the given one
 */
export async function changePaymentMethod(
  platform: MethodParts,
  method: string,
  change: PaymentMethodChange,
  actor: ActorOrId = 'site',
): Promise<PaymentMethod> {
  if (change.method !== undefined && change.method !== method)
    throw new InvalidRequest([{ path: 'method', message: 'Must be the method in the path' }]);
  const definition = findDefinition(method);
  if (!definition) throw refuse('not-found');
  return platform.database.transaction(async (tx) => {
    const row = await lockMethod(tx, method);
    const changed = {
      ...row,
      ...changedLimits(row, change.settings ?? {}),
      sealedCredentials:
        change.credentials === undefined
          ? row.sealedCredentials
          : changedCredentials(platform, { definition, row }, change.credentials),
      isEnabled: change.isEnabled ?? row.isEnabled,
    };
    refuseChanged(change.version, row);
    const { floorPoints } = await updateMethod(tx, changed);
    if (changed.maximumPoints !== 0n && changed.maximumPoints < floorPoints)
      throw new InvalidRequest([
        { path: 'settings.maximumAmount', message: `Must be 0 or at least ${floorPoints}` },
      ]);
    const answer = paymentMethodOf(platform, { definition, row: changed });
    const fields = changedFields(auditedFields(paymentMethodOf(platform, { definition, row })), {
      ...auditedFields(answer),
      ...(changed.sealedCredentials === row.sealedCredentials ? {} : { newCredentials: newNames(change) }),
    });
    if (fields !== undefined)
      await recordActs(tx, [
        {
          actor,
          act: 'payment-method.change',
          target: { kind: 'payment-method', id: method },
          ...fields,
        },
      ]);
    return answer;
  });
}

/** The fields of a method for the audit trail. Its secrets are masked. */
const auditedFields = ({ isEnabled, settings, credentials }: PaymentMethod) => ({
  isEnabled,
  ...settings,
  ...credentials,
});

/** The names of the credentials that a change replaces. */
const newNames = ({ credentials = {} }: PaymentMethodChange): string[] =>
  Object.keys(credentials).filter((name) => credentials[name] !== MASKED);

const changedLimits = (row: MethodRow, settings: NonNullable<PaymentMethodChange['settings']>) => ({
  minimumPoints: BigInt(settings.minimumAmount ?? row.minimumPoints),
  maximumPoints: BigInt(settings.maximumAmount ?? row.maximumPoints),
  feePoints: BigInt(settings.processingFee ?? row.feePoints),
});

const invalidCredentials = (names: readonly string[], message: string) =>
  new InvalidRequest(names.map((name) => ({ path: `credentials.${name}`, message })));

/** Replaces the given credentials and seals all. Unchanged ones keep their sealed text. */
function changedCredentials(
  platform: MethodParts,
  method: Method,
  given: NonNullable<PaymentMethodChange['credentials']>,
): string | null {
  const stored = findCredentials(platform, method);
  const changed = withGiven(platform.config, method, stored, given);
  if (isDeepStrictEqual(changed, stored)) return method.row.sealedCredentials;
  return platform.secrets.seal(JSON.stringify(changed), contextOf(method.row.method));
}

/**
 * The stored credentials with the given ones in their place. A credential given as the mask stays unchanged. Stored
 * credentials that can't be read, which are undefined, are only replaced as a whole.
 * @throws Refusal `invalid-request` for credentials that the rail does not have or does not allow, and for another
 * endpoint without the secrets
 */
export function withGiven(
  config: Config,
  { definition }: Pick<Method, 'definition'>,
  stored: Credentials | undefined,
  given: NonNullable<PaymentMethodChange['credentials']>,
): Credentials | undefined {
  const names = credentialNames(definition);
  const isKept = (name: string, value: unknown) =>
    value === undefined || (value === MASKED && names.includes(name));
  const unmasked = Object.entries(given).filter(([name, value]) => !isKept(name, value));
  if (names.length === 0 && unmasked.length > 0)
    throw new InvalidRequest([{ path: 'credentials', message: 'This method has none' }]);
  const parsed = definition.account.credentials.safeParse(Object.fromEntries(unmasked));
  if (!parsed.success) throw new InvalidRequest(faultsOf(parsed.error, ['credentials']));
  const fault = definition.account.findFault(parsed.data, config);
  if (fault) throw invalidCredentials([fault.name], fault.message);
  if (stored !== undefined) {
    requireSecrets(config, definition, stored, parsed.data);
    return { ...stored, ...parsed.data };
  }
  if (unmasked.length === 0) return undefined;
  const missing = names.filter((name) => parsed.data[name] === undefined);
  const message = 'The stored credentials can’t be read, so all must be given';
  if (missing.length > 0) throw invalidCredentials(missing, message);
  return parsed.data;
}

/**
 * Refuses another endpoint, such as a host or a port, without each stored secret typed in again. Otherwise an operator
 * could have the server send a secret that they can't read to a listener of their own.
 */
function requireSecrets(
  config: Config,
  definition: RailDefinition,
  stored: Credentials,
  given: Credentials,
): void {
  const { initial, endpointNames } = definition.account;
  const shown: Credentials = { ...initial(config), ...stored };
  if (endpointNames.every((name) => given[name] === undefined || given[name] === shown[name])) return;
  const missing = secretNames(definition).filter(
    (name) => (stored[name] ?? '') !== '' && given[name] === undefined,
  );
  const message = 'Type it in again: it was stored for another host or port';
  if (missing.length > 0) throw invalidCredentials(missing, message);
}
