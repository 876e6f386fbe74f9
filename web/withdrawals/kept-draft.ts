export type Draft = { method: string; amount: string; address: string };

/**
 * What a member typed and did not send, and the last attempt whose outcome is unknown. Both are kept for the life of
 * the tab: a phone loads a tab anew after the member copied an address in another app.
 */
type Kept = { draft?: Draft | undefined; attempt?: { key: string; body: string } | undefined };

const keyOf = (memberId: string): string => `withdrawal:${memberId}`;

export const readKept = (memberId: string): Kept =>
  JSON.parse(sessionStorage.getItem(keyOf(memberId)) ?? '{}') as Kept;

/** Keeps the given parts beside the others. Undefined removes a part. */
export function keepPart(memberId: string, part: Kept): void {
  sessionStorage.setItem(keyOf(memberId), JSON.stringify({ ...readKept(memberId), ...part }));
}
