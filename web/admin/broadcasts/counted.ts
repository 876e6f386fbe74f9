import { formatPoints } from '#web/client/format.ts';

/** A count for a text: for its plural, and as people read it. */
export const counted = (count: number) => ({ count, number: formatPoints(count) });
