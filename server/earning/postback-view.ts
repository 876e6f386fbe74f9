import type { Postback, ReplayOutcome, Step } from '#contract/earning-postbacks.ts';
import { stepNames } from '#contract/earning-postbacks.ts';
import { MEMBER_ID } from '#contract/fields.ts';
import { fullNameOf } from '#contract/full-name.ts';
import type { Reader } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { type NamedMember, type PostbackRow, readFormerSecrets, readNames } from './postback-queries.ts';
import { type KnownProvider, knownProviders, secretOrNone } from './provider-settings.ts';
import type { RawPostback } from './providers/provider.ts';
import { readRawText } from './providers/raw-query.ts';
import { digestWith, isSignedWith, readClaims } from './providers/verdict.ts';

/**
 * Providers' calls as operators see them: what each said, the steps that it took, and its signature by the settings of
 * today. No secret and no whole signature is shown.
 */
type Parts = Pick<Platform, 'database' | 'secrets' | 'log'>;

/** A provider with the secret before its current one, also after its time. */
export type InspectedProvider = KnownProvider & { endedSecret: string };

export async function readInspected(platform: Parts): Promise<Map<string, InspectedProvider>> {
  const [known, former] = await Promise.all([knownProviders(platform), readFormerSecrets(platform.database)]);
  const ended = new Map(former.map((row) => [row.id, secretOrNone(platform, row)]));
  return new Map([...known].map(([id, provider]) => [id, { ...provider, endedSecret: ended.get(id) ?? '' }]));
}

type Matches = ReplayOutcome['matches'];

/** Whose the signature of a call is. */
export function matchOf({ adapter, secret, endedSecret }: InspectedProvider, raw: RawPostback): Matches {
  const signature = adapter.signatureOf(raw);
  if (secret !== '' && isSignedWith(signature, secret)) return 'current';
  return endedSecret !== '' && isSignedWith(signature, endedSecret) ? 'former' : 'none';
}

type Stop = readonly [Step['name'], Step['state']];
const stops: Readonly<Record<string, Stop>> = {
  'unknown-provider': ['route', 'failed'],
  'source-refused': ['source', 'failed'],
  'invalid-signature': ['signature', 'failed'],
  'invalid-postback': ['translation', 'failed'],
  'not-a-chargeback': ['translation', 'failed'],
  duplicate: ['duplicate', 'noted'],
  'duplicate-different': ['duplicate', 'noted'],
  held: ['movement', 'noted'],
  'nothing-left': ['movement', 'noted'],
  credited: ['movement', 'passed'],
  reversed: ['movement', 'passed'],
  'hold-rejected': ['movement', 'passed'],
};

/** The steps of a call with this verdict. One with another verdict has no effect by its own words. */
export function stepsOf(verdict: string, kind: Postback['kind']): Step[] {
  const quarantined: Stop = [kind === 'reversal' ? 'movement' : 'member', 'noted'];
  const [last, state] =
    verdict === 'quarantined' ? quarantined : (stops[verdict] ?? ['translation', 'noted']);
  const stopsAt = stepNames.indexOf(last);
  return stepNames.map((name, index) => {
    if (index === stopsAt) return { name, state };
    return { name, state: index < stopsAt ? 'passed' : 'notReached' };
  });
}

/** The names of those of the texts that are members' ids. */
export async function readNamesOf(
  reader: Reader,
  memberRefs: readonly (string | null | undefined)[],
): Promise<(memberRef: string | null | undefined) => string | null> {
  const ids = [...new Set(memberRefs)].filter((ref) => ref != null && MEMBER_ID.test(ref)).map(Number);
  const rows = ids.length === 0 ? [] : await readNames(reader, ids);
  const names = new Map(rows.map((row: NamedMember) => [String(row.id), fullNameOf(row)]));
  return (memberRef) => names.get(memberRef ?? '') ?? null;
}

export async function describePostbacks(platform: Parts, rows: readonly PostbackRow[]): Promise<Postback[]> {
  const known = await readInspected(platform);
  const read = rows.map((row) => {
    const provider = known.get(row.provider);
    const { raw, isCut } = readRawText(row.raw);
    const claims = provider === undefined ? undefined : readClaims(provider.adapter, raw);
    return { row, provider, raw, isCut, claims };
  });
  const nameOf = await readNamesOf(
    platform.database,
    read.map(({ claims }) => claims?.memberRef),
  );
  return read.map(({ row, provider, raw, isCut, claims }): Postback => {
    const kind = claims?.kind ?? null;
    const points = claims === undefined || claims.kind === 'nothing' ? null : claims.amountPoints;
    return {
      id: String(row.id),
      at: row.at.toISOString(),
      provider: row.provider,
      providerName: provider?.row.name ?? row.provider,
      txId: row.transactionId ?? claims?.transactionId ?? null,
      kind,
      memberId: claims?.memberRef ?? null,
      memberName: nameOf(claims?.memberRef),
      amount: points === null ? null : String(kind === 'reversal' ? -points : points),
      address: row.address,
      verdict: row.verdict,
      outcome: row.outcome,
      detail: row.detail,
      raw: cutSecrets(row.raw, provider, raw),
      isCut,
      steps: stepsOf(row.verdict, kind),
      signature: provider === undefined ? null : signatureOf(provider, raw),
      heldId: row.heldId?.toString() ?? null,
      quarantineId: row.quarantineId?.toString() ?? null,
      replay:
        row.replayedAt === null
          ? null
          : {
              at: row.replayedAt.toISOString(),
              operatorEmail: row.replayedBy ?? '',
              verdict: row.replayVerdict ?? '',
            },
    };
  });
}

/** The characters of a signature that are shown: enough to compare, too few to sign. */
const SHOWN = 8;
const cut = (text: string): string => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);

function signatureOf(provider: InspectedProvider, raw: RawPostback): Postback['signature'] {
  const signature = provider.adapter.signatureOf(raw);
  const { algorithm, text, received } = signature;
  return {
    algorithm,
    text: cutSecrets(Buffer.from(text, 'latin1').toString('utf8'), provider, raw),
    bytes: text.length,
    received: cut(received),
    ours: provider.secret === '' ? '' : cut(digestWith(signature, provider.secret)),
    matches: matchOf(provider, raw),
  };
}

const CUT = '***';
const PATH_TOKEN = /(\/api\/webhooks\/(?:postback|chargeback)\/[^/?\s]*\/)[^?\s]+/g;

/** A text of a call without the token of its path, the secrets of its provider, and its whole signature. */
function cutSecrets(text: string, provider: InspectedProvider | undefined, raw: RawPostback): string {
  let shown = text.replace(PATH_TOKEN, `$1${CUT}`);
  if (provider === undefined) return shown;
  for (const secret of [provider.secret, provider.formerSecret, provider.endedSecret])
    if (secret !== '') shown = shown.replaceAll(secret, CUT);
  const { received } = provider.adapter.signatureOf(raw);
  return received.length > SHOWN ? shown.replaceAll(received, cut(received)) : shown;
}
