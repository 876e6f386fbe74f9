import type { RiskLevel } from '#contract/rule-modes.ts';
import type { BadgeTone } from '#web/ui/status-badge.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';

/** The specified colours of a score: 80 or more is red, 60 or more yellow, below green. */
const RED_FROM = 80;
const YELLOW_FROM = 60;

type ScoreBadgeProps = { score: number; yellowFrom?: number };

export function ScoreBadge({ score, yellowFrom = YELLOW_FROM }: ScoreBadgeProps) {
  const tone = score >= RED_FROM ? 'bad' : score >= yellowFrom ? 'warn' : 'ok';
  return (
    <StatusBadge tone={tone}>
      <span className="num">{score}</span>
    </StatusBadge>
  );
}

/** The specified badges of levels: critical and high look alike. */
export const levelTones: Record<RiskLevel, BadgeTone> = {
  critical: 'blocked',
  high: 'blocked',
  medium: 'warn',
  low: 'ok',
};
