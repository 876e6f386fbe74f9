import type { Screen } from './screens.ts';

/** The names of operators’ acts in the audit trail. An endpoint that changes something declares its act. */
export const acts = [
  'announcement.delete',
  'announcement.publish',
  'audit-trail.accept',
  'books.audit',
  'broadcast.begin',
  'broadcast.forget-bounces',
  'broadcast.pause',
  'broadcast.resume',
  'broadcast.retry',
  'broadcast.stop',
  'broadcast.test',
  'bulk-act.stop',
  'catalogue.add',
  'catalogue.change',
  'catalogue.import',
  'catalogue.move',
  'catalogue.remove',
  'catalogue.seed',
  'chat.allow-word',
  'chat.ban-member',
  'chat.ban-word',
  'chat.decide-report',
  'chat.delete-message',
  'chat.lift-ban',
  'claim.ask',
  'claim.book',
  'claim.book-first',
  'claim.refuse',
  'decision.answer-appeal',
  'earning.approve',
  'earning.approve-first',
  'earning.reject',
  'job.retry',
  'mail.retry',
  'member.delete',
  'member.end-sessions',
  'member.free-phone',
  'member.lift-suspension',
  'member.message',
  'member.suspend',
  'operator.appoint',
  'operator.remove',
  'payment-method.change',
  'payment-method.test',
  'payout.check',
  'payout.fail',
  'payout.reconcile',
  'payout.retry',
  'payout.settle',
  'payouts.pause',
  'payouts.resume',
  'points.confirm',
  'points.decline',
  'points.grant',
  'points.revoke',
  'postback.replay',
  'provider.change',
  'provider.test',
  'quarantine.approve-first',
  'quarantine.resolve',
  'rate.confirm',
  'registration.approve',
  'registration.reject',
  'reply.change',
  'reply.create',
  'reply.remove',
  'risk.block',
  'risk.decide-detection',
  'risk.lift-block',
  'secret.rotate',
  'site.change',
  'site.change-timezone',
  'site.confirm',
  'site.propose',
  'site.repair',
  'site.withdraw',
  'ticket.change-status',
  'ticket.respond',
  'view.remove',
  'view.save',
  'wallet.change',
  'wallet.test',
  'withdrawal.approve',
  'withdrawal.approve-first',
  'withdrawal.clear',
  'withdrawal.reject',
  'withdrawal.undo',
] as const;
export type Act = (typeof acts)[number];

/**
 * Who acts. The site acts by itself at its first start, for the worlds of a sandbox, and when a member says that an act
 * was not theirs.
 */
export const actors = ['operator', 'command-line', 'site'] as const;
export type Actor = (typeof actors)[number];

/** The kinds of what acts change. Ids of different kinds may be equal. */
export const targetKinds = [
  'announcement',
  'audit-trail',
  'block',
  'books',
  'broadcast',
  'bulk-act',
  'catalogue',
  'chat-ban',
  'chat-message',
  'chat-word',
  'claim',
  'currency',
  'detection',
  'decision',
  'earning',
  'job',
  'listing',
  'mail',
  'member',
  'payment',
  'payment-method',
  'postback',
  'provider',
  'quarantine',
  'registration',
  'reply',
  'secret',
  'site',
  'ticket',
  'view',
  'wallet',
  'withdrawal',
] as const;
export type TargetKind = (typeof targetKinds)[number];

/**
 * The screen of each kind that has one. `idName` is the parameter of its address that opens the thing with an id. A
 * queue says of a thing that was decided that it does not wait any more.
 */
const screensOfTargets: Partial<
  Record<TargetKind, { path: Screen; search?: Readonly<Record<string, string>>; idName?: 'id' | 'open' }>
> = {
  announcement: { path: '/management-panel-x7k9w/announcements', idName: 'open' },
  block: { path: '/management-panel-x7k9w/fraud', search: { tab: 'ip', state: 'all' } },
  books: { path: '/management-panel-x7k9w/books' },
  'bulk-act': { path: '/management-panel-x7k9w/withdrawals', search: { status: 'all' } },
  broadcast: { path: '/management-panel-x7k9w/support', search: { tab: 'broadcast' }, idName: 'open' },
  catalogue: { path: '/management-panel-x7k9w/catalogue' },
  'chat-ban': {
    path: '/management-panel-x7k9w/chat-moderation',
    search: { tab: 'bans' },
  },
  'chat-message': {
    path: '/management-panel-x7k9w/chat-moderation',
    search: { tab: 'reports', state: 'all' },
    idName: 'open',
  },
  'chat-word': { path: '/management-panel-x7k9w/chat-moderation', search: { tab: 'words' } },
  claim: { path: '/management-panel-x7k9w/claims', search: { state: 'all' }, idName: 'open' },
  currency: { path: '/management-panel-x7k9w/withdrawals' },
  detection: { path: '/management-panel-x7k9w/multi-account', search: { tab: 'detections' }, idName: 'open' },
  decision: { path: '/management-panel-x7k9w/decisions', search: { status: 'all' }, idName: 'open' },
  earning: { path: '/management-panel-x7k9w/approvals', idName: 'open' },
  job: { path: '/management-panel-x7k9w', search: { tab: 'system' } },
  mail: { path: '/management-panel-x7k9w', search: { tab: 'system' } },
  member: { path: '/management-panel-x7k9w/users/member', idName: 'id' },
  listing: { path: '/management-panel-x7k9w/catalogue', search: { kind: 'all' }, idName: 'open' },
  'payment-method': { path: '/management-panel-x7k9w/config', search: { tab: 'payments' }, idName: 'open' },
  postback: { path: '/management-panel-x7k9w/postbacks', idName: 'open' },
  provider: { path: '/management-panel-x7k9w/config', search: { tab: 'providers' }, idName: 'open' },
  quarantine: { path: '/management-panel-x7k9w/postbacks/quarantine', idName: 'open' },
  registration: {
    path: '/management-panel-x7k9w/registrations',
    search: { status: 'all' },
    idName: 'open',
  },
  reply: { path: '/management-panel-x7k9w/support' },
  site: { path: '/management-panel-x7k9w/config', search: { tab: 'site' } },
  ticket: { path: '/management-panel-x7k9w/support', search: { status: 'all' }, idName: 'open' },
  wallet: { path: '/management-panel-x7k9w/wallets' },
  withdrawal: { path: '/management-panel-x7k9w/withdrawals', search: { status: 'all' }, idName: 'open' },
};

/** The address of what an act changed, in two parts; undefined if no screen shows it. */
export function screenOfTarget(
  kind: TargetKind | null,
  id: string,
): { path: Screen; search: Record<string, string> } | undefined {
  const screen = kind === null ? undefined : screensOfTargets[kind];
  if (screen === undefined) return undefined;
  const { path, search = {}, idName } = screen;
  return { path, search: { ...search, ...(idName === undefined ? {} : { [idName]: id }) } };
}
