/**
 * The screens of members, of operators and of mails: path, title, code, and the features whose words the screen shows;
 * of members' also which skeleton stands in the document.
 * `routes.tsx` makes the routes from them, and the build the document of each. `load` is only an import, so that the
 * build can find its file.
 */
export const memberScreens = {
  home: {
    path: '/',
    title: 'home',
    skeleton: 'home',
    load: () => import('./home/dashboard-page.tsx'),
    wordsOf: ['home', 'ledger'],
  },
  earn: {
    path: '/earn',
    title: 'earn',
    skeleton: 'list',
    load: () => import('./shell/earn-page.tsx'),
    wordsOf: ['claims', 'earning'],
  },
  tasks: {
    path: '/tasks',
    title: 'tasks',
    skeleton: 'list',
    load: () => import('./earning/tasks-page.tsx'),
    wordsOf: ['earning'],
  },
  surveys: {
    path: '/surveys',
    title: 'surveys',
    skeleton: 'list',
    load: () => import('./earning/surveys-page.tsx'),
    wordsOf: ['earning'],
  },
  cpxSurveys: {
    path: '/cpx-surveys',
    title: 'cpxSurveys',
    skeleton: 'list',
    load: () => import('./earning/cpx-surveys-page.tsx'),
    wordsOf: ['earning'],
  },
  kiwiwall: {
    path: '/kiwiwall-offers',
    title: 'kiwiwall',
    skeleton: 'list',
    load: () => import('./earning/kiwiwall-page.tsx'),
    wordsOf: ['earning'],
  },
  coinFlipVerify: {
    path: '/coin-flip/verify',
    title: 'coinFlipVerify',
    skeleton: 'form',
    load: () => import('./coinflip/verify-page.tsx'),
    wordsOf: ['coinflip'],
  },
  history: {
    path: '/history',
    title: 'history',
    skeleton: 'list',
    load: () => import('./shell/history-screen.tsx'),
    wordsOf: ['ledger', 'withdrawals'],
  },
  chargebackHistory: {
    path: '/chargeback-history',
    title: 'chargebacks',
    skeleton: 'list',
    load: () => import('./ledger/chargeback-history-page.tsx'),
    wordsOf: ['ledger'],
  },
  withdrawal: {
    path: '/withdrawal',
    title: 'withdrawal',
    skeleton: 'form',
    load: () => import('./withdrawals/withdrawal-page.tsx'),
    wordsOf: ['withdrawals'],
  },
  notices: {
    path: '/notices',
    title: 'notices',
    skeleton: 'list',
    load: () => import('./notices/notices-page.tsx'),
    wordsOf: ['notices'],
  },
  decisions: {
    path: '/decisions',
    title: 'decisions',
    skeleton: 'list',
    load: () => import('./decisions/decisions-page.tsx'),
    wordsOf: ['decisions'],
  },
  referrals: {
    path: '/referrals',
    title: 'referrals',
    skeleton: 'form',
    load: () => import('./referrals/referrals-page.tsx'),
    wordsOf: ['referrals'],
  },
  profile: {
    path: '/profile',
    title: 'profile',
    skeleton: 'form',
    load: () => import('./members/profile-page.tsx'),
    wordsOf: ['members'],
  },
  settings: {
    path: '/settings',
    title: 'settings',
    skeleton: 'form',
    load: () => import('./members/settings-page.tsx'),
    wordsOf: ['members'],
  },
  walletSettings: {
    path: '/wallet-settings',
    title: 'walletSettings',
    skeleton: 'form',
    load: () => import('./withdrawals/wallet-settings-page.tsx'),
    wordsOf: ['withdrawals'],
  },
} as const;

export const operatorScreens = {
  overview: {
    path: '/management-panel-x7k9w',
    title: 'overview',
    load: () => import('./admin/overview/overview-page.tsx'),
    wordsOf: ['admin/kit', 'admin/overview'],
  },
  queue: {
    path: '/management-panel-x7k9w/withdrawals',
    title: 'queue',
    load: () => import('./admin/withdrawals/queue-page.tsx'),
    wordsOf: ['admin/kit', 'admin/withdrawals'],
  },
  tickets: {
    path: '/management-panel-x7k9w/support',
    title: 'tickets',
    load: () => import('./shell/operator-support-page.tsx'),
    wordsOf: ['admin/kit', 'admin/support'],
  },
  appeals: {
    path: '/management-panel-x7k9w/decisions',
    title: 'appeals',
    load: () => import('./admin/decisions/appeals-page.tsx'),
    wordsOf: ['admin/kit', 'admin/decisions'],
  },
  fraud: {
    path: '/management-panel-x7k9w/fraud',
    title: 'fraud',
    load: () => import('./admin/risk/fraud-page.tsx'),
    wordsOf: ['admin/kit', 'admin/risk'],
  },
  claims: {
    path: '/management-panel-x7k9w/claims',
    title: 'claims',
    load: () => import('./admin/claims/claims-page.tsx'),
    wordsOf: ['admin/claims', 'admin/kit'],
  },
  chatModeration: {
    path: '/management-panel-x7k9w/chat-moderation',
    title: 'chatModeration',
    load: () => import('./admin/chat/chat-moderation-page.tsx'),
    wordsOf: ['admin/kit', 'admin/chat'],
  },
  approvals: {
    path: '/management-panel-x7k9w/approvals',
    title: 'approvals',
    load: () => import('./admin/earning/approvals-page.tsx'),
    wordsOf: ['admin/kit', 'admin/earning'],
  },
  grants: {
    path: '/management-panel-x7k9w/manual-rewards',
    title: 'grants',
    load: () => import('./admin/grants/grants-page.tsx'),
    wordsOf: ['admin/kit', 'admin/grants'],
  },
  chargebacks: {
    path: '/management-panel-x7k9w/chargebacks',
    title: 'operatorChargebacks',
    load: () => import('./admin/earning/chargebacks-page.tsx'),
    wordsOf: ['admin/kit', 'admin/earning'],
  },
  postbacks: {
    path: '/management-panel-x7k9w/postbacks',
    title: 'postbacks',
    load: () => import('./admin/postbacks/postbacks-page.tsx'),
    wordsOf: ['admin/kit', 'admin/postbacks'],
  },
  quarantine: {
    path: '/management-panel-x7k9w/postbacks/quarantine',
    title: 'quarantine',
    load: () => import('./admin/postbacks/quarantine-page.tsx'),
    wordsOf: ['admin/kit', 'admin/postbacks'],
  },
  payouts: {
    path: '/management-panel-x7k9w/payouts',
    title: 'payouts',
    load: () => import('./admin/withdrawals/payouts-page.tsx'),
    wordsOf: ['admin/kit', 'admin/withdrawals'],
  },
  registrations: {
    path: '/management-panel-x7k9w/registrations',
    title: 'registrations',
    load: () => import('./admin/access/registrations-page.tsx'),
    wordsOf: ['admin/kit', 'admin/access'],
  },
  books: {
    path: '/management-panel-x7k9w/books',
    title: 'books',
    load: () => import('./admin/ledger/books-page.tsx'),
    wordsOf: ['admin/kit', 'admin/ledger'],
  },
  wallets: {
    path: '/management-panel-x7k9w/wallets',
    title: 'walletSettings',
    load: () => import('./admin/settings/wallets-page.tsx'),
    wordsOf: ['admin/kit', 'admin/settings'],
  },
  catalogue: {
    path: '/management-panel-x7k9w/catalogue',
    title: 'catalogue',
    load: () => import('./admin/catalogue/catalogue-page.tsx'),
    wordsOf: ['admin/kit', 'admin/catalogue'],
  },
  audit: {
    path: '/management-panel-x7k9w/audit',
    title: 'audit',
    load: () => import('./admin/audit-trail/audit-trail-page.tsx'),
    wordsOf: ['admin/kit', 'admin/audit-trail'],
  },
  config: {
    path: '/management-panel-x7k9w/config',
    title: 'config',
    load: () => import('./admin/settings/settings-page.tsx'),
    wordsOf: ['admin/kit', 'admin/settings'],
  },
  users: {
    path: '/management-panel-x7k9w/users',
    title: 'users',
    load: () => import('./admin/members/users-page.tsx'),
    wordsOf: ['admin/kit', 'admin/members'],
  },
  suspensions: {
    path: '/management-panel-x7k9w/multi-account',
    title: 'suspensions',
    load: () => import('./shell/operator-multi-account-page.tsx'),
    wordsOf: ['admin/kit', 'admin/members', 'admin/risk'],
  },
  announcements: {
    path: '/management-panel-x7k9w/announcements',
    title: 'announcements',
    load: () => import('./admin/announcements/announcements-page.tsx'),
    wordsOf: ['admin/announcements', 'admin/kit'],
  },
  member: {
    path: '/management-panel-x7k9w/users/member',
    title: 'member',
    load: () => import('./shell/operator-member-page.tsx'),
    wordsOf: ['admin/kit', 'admin/members'],
  },
} as const;

/** The screens that links in mails open. */
export const mailScreens = {
  resetPassword: {
    path: '/reset-password',
    title: 'resetPassword',
    load: () => import('./access/reset-password-page.tsx'),
    wordsOf: ['access'],
  },
  verifyEmail: {
    path: '/verify-email',
    title: 'verifyEmail',
    load: () => import('./access/verify-email-page.tsx'),
    wordsOf: ['access'],
  },
  notMe: {
    path: '/not-me',
    title: 'notMe',
    load: () => import('./access/not-me-page.tsx'),
    wordsOf: ['access'],
  },
  unsubscribe: {
    path: '/unsubscribe',
    title: 'unsubscribe',
    load: () => import('./access/unsubscribe-page.tsx'),
    wordsOf: ['access'],
  },
} as const;
