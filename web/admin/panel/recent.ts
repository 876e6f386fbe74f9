import type { Found } from '#contract/panel.ts';

/**
 * What an operator opened from the palette last, newest first. It is kept for the life of the tab, because it has names
 * and addresses of members.
 */

const SHOWN_MAX = 5;

const keyOf = (operatorId: string): string => `operatorRecent:${operatorId}`;

export function readRecent(operatorId: string): Found[] {
  return JSON.parse(sessionStorage.getItem(keyOf(operatorId)) ?? '[]') as Found[];
}

/** Puts what was opened at the beginning, once. */
export function rememberRecent(operatorId: string, found: Found): void {
  const others = readRecent(operatorId).filter(({ kind, id }) => kind !== found.kind || id !== found.id);
  sessionStorage.setItem(keyOf(operatorId), JSON.stringify([found, ...others].slice(0, SHOWN_MAX)));
}
