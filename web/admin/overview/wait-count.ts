import type { Wait } from '#contract/overview.ts';
import { formatPoints } from '#web/client/format.ts';

/** How many wait of this kind; 0 if the overview does not name it. */
export const waitCountOf = (kind: Wait['kind'], waits: readonly Wait[]): string =>
  formatPoints(waits.find((wait) => wait.kind === kind)?.count ?? 0);
