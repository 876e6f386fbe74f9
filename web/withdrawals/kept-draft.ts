import type { SentCode } from '#web/ui/use-phone-verification.ts';

export type Draft = { method: string; amount: string; address: string };

/**
 * What a member typed and did not send, the last attempt whose outcome is unknown, and the code that was sent to the
 * member's phone. They are kept for the life of the tab: a phone loads a tab anew after the member copied an address or
 * read the code in another app.
 */
type Kept = { draft?: Draft | undefined; attempt?: Attempt | undefined; sentCode?: SentCode | undefined };

/** What was sent, with its idempotency key and its time in milliseconds. */
type Attempt = { key: string; body: string; at: number };

/** A repeat is pressed soon. What is asked later is another request, even if it is the same. */
const ATTEMPT_MS_MAX = 10 * 60_000;

const keyOf = (memberId: string): string => `withdrawal:${memberId}`;

export const readKept = (memberId: string): Kept =>
  JSON.parse(sessionStorage.getItem(keyOf(memberId)) ?? '{}') as Kept;

/** Keeps the given parts beside the others. Undefined removes a part. */
export function keepPart(memberId: string, part: Kept): void {
  sessionStorage.setItem(keyOf(memberId), JSON.stringify({ ...readKept(memberId), ...part }));
}

/** The last attempt if it may be repeated with this body. */
export function findAttempt(memberId: string, body: string, now: number): Attempt | undefined {
  const { attempt } = readKept(memberId);
  return attempt?.body === body && now - attempt.at < ATTEMPT_MS_MAX ? attempt : undefined;
}

/** The code that was sent to the member's phone, while it is valid. */
export function findSentCode(memberId: string, now: number): SentCode | undefined {
  const { sentCode } = readKept(memberId);
  return sentCode !== undefined && Date.parse(sentCode.expiresAt) > now ? sentCode : undefined;
}
