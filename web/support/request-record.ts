import type { z } from 'zod';
import type { Chargeback } from '#contract/earning.ts';
import type { withdrawalEntry } from '#contract/withdrawals.ts';

export type WithdrawalEntry = z.infer<typeof withdrawalEntry>;

/** The member’s own record that a request is about. */
export type RequestRecord =
  | { kind: 'withdrawal'; id: string; entry: WithdrawalEntry }
  | { kind: 'chargeback'; id: string; entry: Chargeback };
