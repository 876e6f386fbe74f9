import { earningPace } from './earning-pace.ts';
import { farmedReferrals } from './farmed-referrals.ts';
import { invitedAccounts } from './invited-accounts.ts';
import { linkedChain } from './linked-chain.ts';
import { providerBurst } from './provider-burst.ts';
import { quickSurveys } from './quick-surveys.ts';
import { reversalRate } from './reversal-rate.ts';
import type { Rule } from './rule.ts';
import { sameMailbox } from './same-mailbox.ts';
import { sharedDevice } from './shared-device.ts';
import { sharedPayoutAddress } from './shared-payout-address.ts';

/** The rules that look for abuse. */
export const rules: readonly Rule[] = [
  sharedPayoutAddress,
  sharedDevice,
  sameMailbox,
  invitedAccounts,
  linkedChain,
  reversalRate,
  earningPace,
  quickSurveys,
  farmedReferrals,
  providerBurst,
];
