/** The names of operators’ acts in the audit trail. An endpoint that changes something declares its act. */
export const acts = [
  'books.audit',
  'catalogue.seed',
  'earning.approve',
  'earning.reject',
  'operator.appoint',
  'payment-method.change',
  'payout.check',
  'payout.fail',
  'payout.reconcile',
  'payout.retry',
  'payout.settle',
  'points.grant',
  'points.revoke',
  'provider.change',
  'rate.confirm',
  'site.change',
  'ticket.change-status',
  'ticket.respond',
  'withdrawal.approve',
  'withdrawal.reject',
] as const;
export type Act = (typeof acts)[number];
