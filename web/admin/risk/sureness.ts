import type { RiskRule } from '#contract/rule-modes.ts';

/** The word of how sure evidence makes. In a chain each link may be of one kind alone. */
export function surenessOf(rule: RiskRule, kinds: readonly string[]): 'one' | 'two' | 'chain' {
  if (kinds.length < 2) return 'one';
  return rule === 'linked-chain' ? 'chain' : 'two';
}
