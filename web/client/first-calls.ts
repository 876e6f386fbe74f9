/**
 * The calls that a member's document starts before the app is there. Each answer is handed over once, to whoever first
 * calls that address; what nobody asked for in time is forgotten, because it may be out of date by then.
 */
const started = globalThis as { firstCalls?: Map<string, Promise<Response>> };

const AGE_MS_MAX = 30_000;

/** The answer that is on its way for an address, or undefined. */
export function takeFirstCall(address: string): Promise<Response> | undefined {
  const answer = started.firstCalls?.get(address);
  started.firstCalls?.delete(address);
  return performance.now() < AGE_MS_MAX ? answer : undefined;
}

/** Forgets the answers that nobody took: they belong to a session that ended, or to the time before a change. */
export const forgetFirstCalls = (): void => started.firstCalls?.clear();
