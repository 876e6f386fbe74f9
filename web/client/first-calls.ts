/**
 * The calls that a member's document starts before the app has loaded. Returns each answer once, to the first caller.
 * An answer not taken in time is discarded, because it may be outdated.
 */
const started = globalThis as { firstCalls?: Map<string, Promise<Response>> };

const AGE_MS_MAX = 30_000;

/** The started call for an address, or undefined. */
export function takeFirstCall(address: string): Promise<Response> | undefined {
  const answer = started.firstCalls?.get(address);
  started.firstCalls?.delete(address);
  return performance.now() < AGE_MS_MAX ? answer : undefined;
}

/** Drops the answers not yet taken, because they belong to an ended session or precede a change. */
export const forgetFirstCalls = (): void => started.firstCalls?.clear();
