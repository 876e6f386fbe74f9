import type { Postback } from '#contract/earning-postbacks.ts';
import { Amount } from '#web/ui/amount.tsx';

/** What a call names: signed and in colour only if it was booked. */
export function CallAmount({ row: { amount, outcome } }: { row: Postback }) {
  if (amount === null) return <span className="dimmer">–</span>;
  const isSigned = outcome === 'booked' || amount.startsWith('-');
  return <Amount points={amount} signed={isSigned} muted={outcome !== 'booked'} />;
}
