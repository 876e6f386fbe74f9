import { isDeepStrictEqual } from 'node:util';
import ipaddr from 'ipaddr.js';
import type { changeProvider, Provider } from '#contract/earning-providers.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { type ActorOrId, changedFields, operatorIdOf, recordActs } from '#platform/audit-trail.ts';
import type { Config } from '#platform/config.ts';
import type { Reader } from '#platform/database.ts';
import { InvalidRequest } from '#platform/http/problem.ts';
import type { Platform } from '#platform/platform.ts';
import { refuse } from '#platform/refusal.ts';
import type { SealedPlace } from '#platform/secret-rotation.ts';
import { MASKED } from '#platform/secrets.ts';
import { refuseChanged, versionOf } from '#platform/settings-version.ts';
import { fitsWallAddress, type ProviderAdapter, type SignatureCoverage } from './providers/provider.ts';
import { findProvider, providers } from './providers/registry.ts';
import * as queries from './queries.ts';

/**
 * The operators' settings of providers. The key that verifies postbacks is stored encrypted and never shown: operators
 * see a mask, and sending the mask keeps the key.
 */

const secretContext = (providerId: string): string => `earning.providers/${providerId}/secret`;

/** The first settings of a provider: its published addresses in live mode, any address in the sandbox. */
const firstSettings = (adapter: ProviderAdapter, mode: Config['mode']): queries.ProviderSettings =>
  mode === 'live'
    ? { sourceAddresses: [...adapter.publishedSourceAddresses], sourcePolicy: adapter.liveSourcePolicy }
    : { sourceAddresses: [], sourcePolicy: 'record' };

/**
 * Adds rows for registered providers that have none. Existing rows stay unchanged.
 */
export async function addKnownProviders({
  database,
  config,
}: Pick<Platform, 'database' | 'config'>): Promise<void> {
  for (const adapter of providers.values())
    await queries.insertProvider(database, {
      id: adapter.id,
      name: adapter.name,
      type: adapter.kind,
      settings: firstSettings(adapter, config.mode),
    });
}

/** Reads the display names of providers, by id. */
export const readProviderNames = async (reader: Reader): Promise<Map<string, string>> =>
  new Map((await queries.readProviderRows(reader)).map(({ id, name }) => [id, name]));

/** The key that verifies the provider's postbacks; empty if none is set. @throws if it can't be decrypted */
export function secretOf(
  { secrets }: Pick<Platform, 'secrets'>,
  row: Pick<queries.ProviderRow, 'id' | 'sealedSecret'>,
): string {
  return row.sealedSecret === null ? '' : secrets.open(row.sealedSecret, secretContext(row.id));
}

/** The stored secrets of providers, for sealing them anew. */
export const sealedProviderSecrets = async (owner: Reader): Promise<SealedPlace[]> =>
  (await queries.readSealedSecrets(owner)).map(({ id, sealed }) => ({
    context: secretContext(id),
    sealed,
    replace: (next) => queries.replaceSealedSecret(owner, id, sealed, next),
  }));

/** The URL that the provider calls: for all its calls, or for reversals alone. */
export function webhookUrlOf(
  config: Pick<Config, 'publicUrl'>,
  row: Pick<queries.ProviderRow, 'id' | 'settings'>,
  kind: 'postback' | 'chargeback',
): string {
  const template = findProvider(row.id)?.queryTemplate ?? '';
  const token = row.settings.pathToken ? `/${row.settings.pathToken}` : '';
  return `${config.publicUrl}/api/webhooks/${kind}/${row.id}${token}${template === '' ? '' : `?${template}`}`;
}

export const providerOf = (config: Config, row: queries.ProviderRow): Provider => ({
  id: row.id,
  name: row.name,
  type: row.type,
  url: row.url || (findProvider(row.id)?.defaultWallUrl ?? ''),
  apiKey: row.apiKey,
  secret: row.sealedSecret === null ? '' : MASKED,
  postbackUrl: webhookUrlOf(config, row, 'postback'),
  isEnabled: row.isEnabled,
  settings: row.settings,
  formerSecretUntil: row.formerSecretUntil?.toISOString() ?? null,
  about: aboutOf(row.id),
  version: versionOf(versionedFields(row)),
});

/** What the adapter says for the settings card; null if there is none. */
function aboutOf(id: string): Provider['about'] {
  const adapter = findProvider(id);
  if (adapter === undefined) return null;
  const { settings, signatureCovers, publishedSourceAddresses } = adapter;
  const kindOf = (covered: SignatureCoverage) => {
    if (covered === 'signed') return 'signed';
    return 'joined' in covered ? 'joined' : 'unsigned';
  };
  return {
    apiKeyLabel: settings.apiKey.label,
    secretLabel: settings.secret.label,
    signatureCovers: mapValues(signatureCovers, kindOf),
    publishedAddresses: [...publishedSourceAddresses],
  };
}

const mapValues = <Name extends string, From, To>(
  values: Record<Name, From>,
  to: (value: From) => To,
): Record<Name, To> =>
  Object.fromEntries(Object.entries<From>(values).map(([name, value]) => [name, to(value)])) as Record<
    Name,
    To
  >;

/** The stored fields whose change makes another version. The end of a former secret's time makes none. */
const versionedFields = ({
  formerSealedSecret: _,
  formerSecretUntil: __,
  wasEnabled: ___,
  ...fields
}: queries.ProviderRow) => fields;

function refuseBadAddresses(addresses: readonly string[]): void {
  for (const [index, address] of addresses.entries())
    if (!ipaddr.isValid(address) && !ipaddr.isValidCIDR(address))
      throw new InvalidRequest([
        { path: `settings.sourceAddresses.${index}`, message: 'Must be an address or a CIDR range' },
      ]);
}

function refuseBadApiKey(id: string, apiKey: string | undefined): void {
  const adapter = findProvider(id);
  if (!apiKey || adapter === undefined || fitsWallAddress(adapter, apiKey)) return;
  throw new InvalidRequest([{ path: 'apiKey', message: 'No wall address can hold this id' }]);
}

/**
 * Changes the given settings of a provider and returns all.
 * @throws Refusal `unknown-provider`; `invalid-request` for a setting that can't be used; `settings-changed` if the
 * provider has another version than the given one
 */
export async function changeProviderSettings(
  platform: Platform,
  id: string,
  change: BodyOf<typeof changeProvider>,
  actor: ActorOrId = 'site',
): Promise<Provider> {
  if (change.id !== undefined && change.id !== id)
    throw new InvalidRequest([{ path: 'id', message: 'Must be the provider of the address' }]);
  refuseBadAddresses(change.settings?.sourceAddresses ?? []);
  refuseBadApiKey(id, change.apiKey);
  if (platform.config.mode === 'live' && change.url?.startsWith('http:'))
    throw new InvalidRequest([{ path: 'url', message: 'Must be https' }]);
  const provider = await platform.database.transaction(async (tx) => {
    const former = await queries.lockProvider(tx, id);
    if (former === undefined) throw refuse('unknown-provider');
    refuseChanged(change.version, versionedFields(former));
    const sealed = sealedSecretOf(platform, former, change.secret);
    const row = await queries.updateProvider(tx, id, {
      name: change.name ?? null,
      type: change.type ?? null,
      url: change.url ?? null,
      apiKey: change.apiKey ?? null,
      sealedSecret: sealed,
      isEnabled: change.isEnabled ?? null,
      settings: change.settings ?? {},
    });
    const changed = changedFields(auditedFields(platform.config, former), {
      ...auditedFields(platform.config, row),
      ...(sealed === null ? {} : { newSecret: true }),
      ...(row.settings.pathToken === former.settings.pathToken ? {} : { newPathToken: true }),
    });
    if (changed !== undefined)
      await recordActs(tx, [{ actor, act: 'provider.change', target: { kind: 'provider', id }, ...changed }]);
    const operatorId = operatorIdOf(actor);
    if (operatorId !== null && (sealed !== null || hasNewSourceRule(former, row)))
      await queries.noteSourceChange(tx, id, operatorId);
    return providerOf(platform.config, row);
  });
  await dropCachedProviders(platform);
  return provider;
}

/** Whether other calls are believed now, apart from those with another secret. */
const hasNewSourceRule = ({ settings: former }: queries.ProviderRow, { settings }: queries.ProviderRow) =>
  (['sourceAddresses', 'sourcePolicy', 'pathToken'] as const).some(
    (name) => !isDeepStrictEqual(former[name] ?? null, settings[name] ?? null),
  );

/** What to store for a given secret; null keeps the stored one. The same secret again is no change. */
function sealedSecretOf(platform: Platform, row: queries.ProviderRow, secret?: string): string | null {
  if (secret === undefined || secret === MASKED) return null;
  if (secret === '') return '';
  if (secret === secretOrNone(platform, row)) return null;
  return platform.secrets.seal(secret, secretContext(row.id));
}

/** The settings of a provider for the audit trail. Its secrets are masked. */
function auditedFields(config: Config, row: queries.ProviderRow) {
  const {
    postbackUrl: _,
    formerSecretUntil: __,
    about: ___,
    version: ____,
    settings,
    ...fields
  } = providerOf(config, row);
  const { pathToken = null, ...policy } = settings;
  return { ...fields, ...policy, pathToken: pathToken === null ? null : MASKED };
}

type Kept = { until: number; rows: Promise<Map<string, KnownProvider>> };
export type KnownProvider = {
  row: queries.ProviderRow;
  adapter: ProviderAdapter;
  secret: string;
  /** The secret before it, while its calls still verify; else empty. */
  formerSecret: string;
};

const KEPT_MS = 1_000;
const kept = new WeakMap<object, Kept>();

/** The functions that reload the walls' origins, by database. They are called after a change. */
const originReaders = new WeakMap<object, () => Promise<void>>();

async function dropCachedProviders({ database }: Platform): Promise<void> {
  kept.delete(database);
  await originReaders.get(database)?.();
}

type Reading = Pick<Platform, 'database' | 'secrets' | 'log'>;

/** Ids of providers, by database, whose undecryptable secret was logged. Each is logged once. */
const reported = new WeakMap<object, Set<string>>();

/**
 * Decrypts a provider's secret. One that can't be decrypted (another APP_SECRET, or damaged) counts as missing: the
 * provider's calls are refused, and other providers are not affected.
 */
export function secretOrNone(
  reading: Reading,
  row: Pick<queries.ProviderRow, 'id' | 'sealedSecret'>,
): string {
  try {
    return secretOf(reading, row);
  } catch (error) {
    const known = reported.get(reading.database) ?? new Set();
    reported.set(reading.database, known);
    if (!known.has(row.id))
      reading.log.error({ error, provider: row.id }, 'a provider’s secret can’t be opened');
    known.add(row.id);
    return '';
  }
}

async function readKnown(platform: Reading): Promise<Map<string, KnownProvider>> {
  const known = new Map<string, KnownProvider>();
  for (const row of await queries.readProviderRows(platform.database)) {
    const adapter = findProvider(row.id);
    if (adapter === undefined) continue;
    const former = { id: row.id, sealedSecret: row.formerSealedSecret };
    const [secret, formerSecret] = [secretOrNone(platform, row), secretOrNone(platform, former)];
    known.set(row.id, { row, adapter, secret, formerSecret });
  }
  return known;
}

/** Reads all registered providers with their rows, cached for a second. So a change reaches all nodes in a second. */
export async function knownProviders(platform: Reading): Promise<Map<string, KnownProvider>> {
  const now = performance.now();
  const last = kept.get(platform.database);
  if (last !== undefined && last.until > now) return last.rows;
  const rows = readKnown(platform);
  kept.set(platform.database, { until: now + KEPT_MS, rows });
  rows.catch(() => kept.delete(platform.database));
  return rows;
}

/** Whether members can open the wall: the provider is enabled and has the settings that the wall's URL needs. */
export const isUsable = ({ row, adapter, secret }: KnownProvider): boolean =>
  row.isEnabled && fitsWallAddress(adapter, row.apiKey) && secret !== '';

/** The base URL of a provider's wall: the operator's setting, else the provider's default. */
export const wallBaseOf = ({ row, adapter }: KnownProvider): string => row.url || adapter.defaultWallUrl;

/**
 * Keeps the origins of enabled walls, which pages may show in a frame. They are refreshed in the background, so that a
 * page needs no query.
 * @returns a function that returns the current origins
 */
export async function enabledWallOrigins(platform: Platform): Promise<() => string[]> {
  await addKnownProviders(platform);
  let origins: string[] = [];
  const read = async () => {
    const known = [...(await knownProviders(platform)).values()].filter(({ row }) => row.isEnabled);
    origins = [...new Set(known.map((provider) => new URL(wallBaseOf(provider)).origin))];
  };
  await read();
  const refresh = () => read().catch((error: Error) => platform.log.warn({ error }, 'providers not read'));
  originReaders.set(platform.database, refresh);
  const timer = setInterval(refresh, 5_000).unref();
  platform.app.addHook('onClose', async () => clearInterval(timer));
  return () => {
    void refresh();
    return origins;
  };
}
