/**
 * The wire's English description of a movement. It is made at each read from the stored kind, provider and subject. The
 * web makes sentences in the reader's language from the same parts.
 */
import type { MovementKind } from '#contract/ledger.ts';

/** The display names of providers and payment methods, by id. */
export type Names = { providers: ReadonlyMap<string, string>; methods: ReadonlyMap<string, string> };

/** Reads the current names. `app.ts` passes it in, because providers and methods belong to other features. */
export type ReadNames = () => Promise<Names>;

export type Described = {
  kind: MovementKind;
  provider: string | null;
  subject: string;
  /** An earning without a completed task. */
  isScreenOut: boolean;
};

/** The display name of a movement's provider or payment method; null if it has neither. */
export function sourceNameOf({ kind, provider, subject }: Described, names: Names): string | null {
  if (kind === 'withdrawal' || kind === 'withdrawal-return') return names.methods.get(subject) ?? subject;
  return provider === null ? null : (names.providers.get(provider) ?? provider);
}

/**
 * For example `{provider}: {offer}` or `Chargeback: {provider}: {reason}`.
 * @param source the display name of the provider or payment method; null if there is neither
 */
export function describeMovement(
  { kind, subject, isScreenOut }: Omit<Described, 'provider'>,
  source: string | null,
): string {
  switch (kind) {
    case 'earning':
      return `${source ?? 'Unknown'}: ${subject || (isScreenOut ? 'Screen-out' : 'Completed')}`;
    case 'reversal':
      return `Chargeback: ${source ?? 'Manual'}: ${subject || 'Policy Violation'}`;
    case 'bonus':
      return `Daily bonus: day ${subject}`;
    case 'referral':
      return `Referral: friend ${subject}`;
    case 'coinflip-stake':
    case 'coinflip-prize':
      return `Coin flip: ${subject}`;
    case 'grant':
      return subject;
    case 'withdrawal':
      return `Withdrawal: ${source}`;
    case 'withdrawal-return':
      return `Withdrawal returned: ${source}`;
  }
}

const KEPT_MS = 1_000;

const isSameMap = (one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean =>
  one.size === other.size && [...one].every(([id, name]) => other.get(id) === name);

/**
 * Caches names for a second. It returns the same object until a name changes, so that a cached page can be checked by
 * identity.
 */
export function keepNames(read: ReadNames): ReadNames {
  let kept: { until: number; names: Promise<Names> } | undefined;
  const readAgain = async (before: Promise<Names> | undefined): Promise<Names> => {
    const [names, last] = await Promise.all([read(), before]);
    const isSame =
      last !== undefined &&
      isSameMap(names.providers, last.providers) &&
      isSameMap(names.methods, last.methods);
    return isSame ? last : names;
  };
  return () => {
    const now = performance.now();
    if (kept === undefined || kept.until <= now) {
      const before = kept?.names;
      const names = readAgain(before);
      // After a failed read the next call reads again, and compares with the former names.
      names.catch(() => {
        if (kept?.names === names) kept = before === undefined ? undefined : { until: 0, names: before };
      });
      kept = { until: now + KEPT_MS, names };
    }
    return kept.names;
  };
}
