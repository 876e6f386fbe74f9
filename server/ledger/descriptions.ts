/**
 * The wire's English description of a movement. It is made at each read from the stored kind, provider and subject. The
 * web makes sentences in the reader's language from the same parts.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { MovementKind } from '#contract/movement-kinds.ts';
import type { Log } from '#platform/log.ts';

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
const PATIENCE_MS = 200;

const isSameMap = (one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean =>
  one.size === other.size && [...one].every(([id, name]) => other.get(id) === name);

const isSame = (one: Names, other: Names): boolean =>
  isSameMap(one.providers, other.providers) && isSameMap(one.methods, other.methods);

/**
 * Caches names for a second. It returns the same object until a name changes, so that a cached page can be checked by
 * identity. While a read fails or takes longer than 200 ms it answers with the names that were read last, because a
 * description with an old name is better than no history. It rejects only while no read has succeeded. Only one read
 * runs at a time.
 */
export function keepNames(read: ReadNames, log: Pick<Log, 'error'>): ReadNames {
  let last: Names | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  /** The answer while a read runs. */
  let answer: Promise<Names> | undefined;
  const readAgain = async (): Promise<Names> => {
    try {
      const names = await read();
      if (last === undefined || !isSame(names, last)) last = names;
    } catch (error) {
      if (last === undefined) throw error;
      log.error({ error }, 'the names of providers and payment methods could not be read');
    } finally {
      answer = undefined;
    }
    return last;
  };
  return async () => {
    const now = performance.now();
    if (answer !== undefined) return answer;
    if (last !== undefined && now < readAt + KEPT_MS) return last;
    readAt = now;
    const reading = readAgain();
    answer = last === undefined ? reading : Promise.race([reading, sleep(PATIENCE_MS, last, { ref: false })]);
    return answer;
  };
}
