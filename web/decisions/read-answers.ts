import type { Decision } from '#contract/decisions.ts';

/** Which answers to appeals this browser has shown, so that the notice on Home stands until its answer is read. */

const KEY = 'readAppealAnswers';
const KEPT_MAX = 20;

/** The answers in the order of the decisions, newest first, without those that were shown. */
export function unreadAnswerIn(decisions: readonly Decision[]): Decision | undefined {
  const read = readIds();
  return decisions.find(({ id, appeal }) => appeal !== null && appeal.answer !== null && !read.includes(id));
}

/** Remembers that these answers were shown. */
export function rememberAnswers(decisions: readonly Decision[]): void {
  const answered = decisions.filter(({ appeal }) => appeal !== null && appeal.answer !== null);
  if (answered.length === 0) return;
  const ids = new Set([...answered.map(({ id }) => id), ...readIds()]);
  localStorage.setItem(KEY, [...ids].slice(0, KEPT_MAX).join(','));
}

const readIds = (): string[] => (localStorage.getItem(KEY) ?? '').split(',');
