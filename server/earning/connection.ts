import type { ConnectionStep } from '#contract/connection.ts';
import type { testProvider as testEndpoint } from '#contract/earning-providers.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { sentence } from '#contract/operator-sentences.ts';
import { recordActs } from '#platform/audit-trail.ts';
import type { Platform } from '#platform/platform.ts';
import { findWebFault } from '#platform/public-web.ts';
import { refuse } from '#platform/refusal.ts';
import { MASKED } from '#platform/secrets.ts';
import { readNewestCalls, type StoredCall } from './connection-queries.ts';
import { secretOrNone } from './provider-settings.ts';
import { fitsWallAddress, type ProviderAdapter } from './providers/provider.ts';
import { readRawText } from './providers/raw-query.ts';
import { findProvider } from './providers/registry.ts';
import { findProviderRow } from './queries.ts';

/**
 * An operator's test of a provider: are the settings complete, does the wall answer, can our own address be reached,
 * and do the provider's newest calls fit the secret? It uses the values that are being typed in, or the stored ones. It
 * stores and books nothing.
 */
type Parts = Pick<Platform, 'database' | 'config' | 'secrets' | 'log'>;
type Given = NonNullable<BodyOf<typeof testEndpoint>>;
type Tested = { adapter: ProviderAdapter; url: string; apiKey: string; secret: string };

/** The calls that are looked at: the newest of the provider, among the newest of all. */
const CALLS_MAX = 20;
const AMONG_MAX = 5_000;

export async function testProvider(
  platform: Parts,
  { id, body, operatorId }: { id: string; body: Given | undefined; operatorId: number },
): Promise<{ steps: ConnectionStep[] }> {
  const row = await findProviderRow(platform.database, id);
  const adapter = findProvider(id);
  if (row === undefined || adapter === undefined) throw refuse('unknown-provider');
  const { secret = MASKED, apiKey = row.apiKey, url = row.url } = body ?? {};
  const tested = {
    adapter,
    apiKey,
    url: url || adapter.defaultWallUrl,
    secret: secret === MASKED ? secretOrNone(platform, row) : secret,
  };
  const steps = await stepsOf(platform, tested);
  const failedStep = steps.find(({ ok }) => !ok)?.name ?? null;
  await platform.database.transaction((tx) =>
    recordActs(tx, [
      {
        actor: operatorId,
        act: 'provider.test',
        target: { kind: 'provider', id },
        after: { apiKey, url: tested.url, failedStep },
      },
    ]),
  );
  return { steps };
}

/** All steps, because a wall that is away says nothing about the secret. Without an account there is only the first. */
async function stepsOf(platform: Parts, tested: Tested): Promise<ConnectionStep[]> {
  const { config, database } = platform;
  const fault = accountFaultOf(tested);
  if (fault !== undefined) return [{ name: 'account', ok: false, text: fault }];
  const isLive = config.mode === 'live';
  const [wall, address, calls] = await Promise.all([
    findWebFault(tested.url, { publicOnly: isLive }),
    findWebFault(`${config.publicUrl}/healthz`, { publicOnly: false }),
    readNewestCalls(database, tested.adapter.id, AMONG_MAX, CALLS_MAX),
  ]);
  return [
    { name: 'account', ok: true, text: sentence('provider-complete') },
    { name: 'wall', ok: wall === undefined, text: wall ?? sentence('wall-answers') },
    {
      name: 'address',
      ok: address === undefined,
      text: address ?? sentence('site-reached'),
    },
    { name: 'calls', ...judgeCalls(tested, calls) },
  ];
}

function accountFaultOf({ adapter, apiKey, secret }: Tested): string | undefined {
  const { apiKey: publicId, secret: key } = adapter.settings;
  if (apiKey === '') return sentence('provider-value-missing', { labelText: publicId.label });
  if (!fitsWallAddress(adapter, apiKey))
    return sentence('provider-value-malformed', { labelText: publicId.label, providerText: adapter.name });
  return secret === '' ? sentence('provider-secret-missing', { labelText: key.label }) : undefined;
}

const WRONGLY_SIGNED = 'invalid-signature';

/** What the newest calls say about the secret. Anyone can send a call with a wrong signature. */
export function judgeCalls(
  { adapter, secret }: Pick<Tested, 'adapter' | 'secret'>,
  calls: readonly StoredCall[],
): { ok: boolean; text: string } {
  const [newest] = calls;
  if (newest === undefined) return { ok: true, text: sentence('provider-silent') };
  const since = calls.findIndex(({ verdict }) => verdict !== WRONGLY_SIGNED);
  const refused = since === -1 ? calls : calls.slice(0, since);
  if (refused.length === 0)
    return { ok: true, text: sentence('call-signed', { calledAt: newest.at.toISOString() }) };
  const fitting = refused.filter(({ raw }) => fitsSecret(adapter, secret, raw));
  const count = refused.length;
  if (fitting.length > 0)
    return {
      ok: true,
      text: sentence('calls-fit-secret', { fittingCount: fitting.length, refusedCount: count }),
    };
  if (count === 1) return { ok: false, text: sentence('call-refused') };
  const text = `${sentence('calls-refused', { refusedCount: count })} ${sentence('other-secret')}`;
  return { ok: false, text };
}

/** Whether a stored call verifies. */
function fitsSecret(adapter: ProviderAdapter, secret: string, raw: string): boolean {
  const verdict = adapter.verify(readRawText(raw).raw, { secret });
  return verdict.ok || verdict.code !== WRONGLY_SIGNED;
}
