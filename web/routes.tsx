import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { readRegistrationReviews } from '#contract/access-registration-reviews.ts';
import { readAnnouncementList } from '#contract/announcements.ts';
import { readAuditTrail } from '#contract/audit-trail.ts';
import { readClaimQueue } from '#contract/claims.ts';
import { readPendingEarnings } from '#contract/earning.ts';
import { readEntries } from '#contract/earning-catalogue-entries.ts';
import { readAllChargebacks } from '#contract/earning-chargebacks.ts';
import { readPostbacks } from '#contract/earning-postbacks.ts';
import { readQuarantine } from '#contract/earning-quarantine.ts';
import { readGrants } from '#contract/grants.ts';
import { readUsers } from '#contract/members-accounts.ts';
import { readWithdrawalQueue } from '#contract/withdrawals.ts';
import { readPayouts } from '#contract/withdrawals-payouts.ts';
import { chatSearchOf } from './client/chat-search.ts';
import { configSearchOf } from './client/config-search.ts';
import { decisionSearchOf } from './client/decision-search.ts';
import { fraudSearchOf, multiAccountSearchOf } from './client/fraud-search.ts';
import { fromMember, listSearchOf } from './client/list-search.ts';
import { memberSearchOf } from './client/member-search.ts';
import { hideLeftOut, oneOf, pageOf, textOf, textsOf } from './client/search-params.ts';
import { supportSearchOf } from './client/support-search.ts';
import { withWords } from './client/words.ts';
import { verifySearchOf } from './coinflip/verify-search.ts';
import { surveysSearchOf, tasksSearchOf } from './earning/catalogue-search.ts';
import { historySearchOf } from './ledger/history-search.ts';
import { screenOf } from './screen-of.ts';
import { mailScreens, memberScreens, operatorScreens } from './screens.ts';
import { PageError } from './shell/page-error.tsx';
import { RootFrame } from './shell/root-frame.tsx';

/**
 * Every page's URL and its screen. The screens of members and operators are listed in `screens.ts`. A screen is loaded
 * when it is first opened. For signed-out visitors, screens under `member` show the login view at their own URL.
 */

const root = createRootRoute({ component: RootFrame });

/** Every other URL. A route of its own, because the router would match the nearest known page and use its title. */
const unknown = createRoute({
  path: '$',
  getParentRoute: () => root,
  staticData: { title: 'notFound' },
  component: lazyRouteComponent(() => import('./shell/unknown-page.tsx'), 'UnknownPage'),
});

const member = createRoute({
  id: 'member',
  getParentRoute: () => root,
  component: lazyRouteComponent(() => import('./shell/member-area.tsx'), 'MemberArea'),
});

const ofMember = { getParentRoute: () => member };
/** The dialog of a new withdrawal is in the URL, so that the browser's Back closes it and not the page. */
const newWithdrawalOf = (search: Record<string, unknown>) => oneOf('new', ['withdrawal'], search);

const home = createRoute({
  ...screenOf(memberScreens.home, 'DashboardPage'),
  ...ofMember,
  validateSearch: newWithdrawalOf,
});

const earn = createRoute({
  ...screenOf(memberScreens.earn, 'EarnPage'),
  getParentRoute: () => member,
  // The open wall is in the URL, so that the browser's Back closes it.
  validateSearch: (search: Record<string, unknown>): { wall?: string } => textOf('wall', search),
});

const tasks = createRoute({
  ...screenOf(memberScreens.tasks, 'TasksPage'),
  getParentRoute: () => member,
  validateSearch: tasksSearchOf,
});

const surveys = createRoute({
  ...screenOf(memberScreens.surveys, 'SurveysPage'),
  getParentRoute: () => member,
  validateSearch: surveysSearchOf,
});

const cpxSurveys = createRoute({ ...screenOf(memberScreens.cpxSurveys, 'CpxSurveysPage'), ...ofMember });
const kiwiwall = createRoute({ ...screenOf(memberScreens.kiwiwall, 'KiwiwallPage'), ...ofMember });

const coinFlipVerify = createRoute({
  ...screenOf(memberScreens.coinFlipVerify, 'VerifyPage'),
  getParentRoute: () => member,
  validateSearch: verifySearchOf,
});

const history = createRoute({
  ...screenOf(memberScreens.history, 'HistoryScreen'),
  getParentRoute: () => member,
  validateSearch: historySearchOf,
});

const chargebackHistory = createRoute({
  ...screenOf(memberScreens.chargebackHistory, 'ChargebackHistoryPage'),
  ...ofMember,
});

/** The screens of members with a list in pages. */
const inPages = {
  ...ofMember,
  validateSearch: (search: Record<string, unknown>): { page?: number } => pageOf(search.page),
};
const withdrawal = createRoute({
  ...screenOf(memberScreens.withdrawal, 'WithdrawalPage'),
  ...ofMember,
  // The open request is in the URL, so that it has an address and the browser's Back closes it.
  validateSearch: (
    search: Record<string, unknown>,
  ): { page?: number; request?: string; new?: 'withdrawal' } => ({
    ...pageOf(search.page),
    ...textOf('request', search),
    ...newWithdrawalOf(search),
  }),
});
const notices = createRoute({ ...screenOf(memberScreens.notices, 'NoticesPage'), ...inPages });
const decisions = createRoute({ ...screenOf(memberScreens.decisions, 'DecisionsPage'), ...ofMember });
const referrals = createRoute({ ...screenOf(memberScreens.referrals, 'ReferralsPage'), ...inPages });
const profile = createRoute({ ...screenOf(memberScreens.profile, 'ProfilePage'), ...ofMember });
const settings = createRoute({ ...screenOf(memberScreens.settings, 'SettingsPage'), ...ofMember });
const walletSettings = createRoute({
  ...screenOf(memberScreens.walletSettings, 'WalletSettingsPage'),
  ...ofMember,
});

const auth = createRoute({
  path: '/auth',
  getParentRoute: () => root,
  staticData: { title: 'auth' },
  validateSearch: (
    search: Record<string, unknown>,
  ): { tab?: 'register' | 'forgot'; ref?: string; referral?: string; error?: string } => ({
    ...(search.tab === 'register' || search.tab === 'forgot' ? { tab: search.tab } : {}),
    ...textOf('error', search),
    ...textOf('ref', search),
    ...textOf('referral', search),
  }),
  component: lazyRouteComponent(() => withWords(import('./access/auth-page.tsx'), 'access'), 'AuthPage'),
});

const login = createRoute({
  path: '/login',
  getParentRoute: () => root,
  beforeLoad: () => {
    throw redirect({ to: '/auth', replace: true });
  },
});

/** The pages that links in mails open. */
const byMail = {
  getParentRoute: () => root,
  validateSearch: (search: Record<string, unknown>): { token?: string } => textOf('token', search),
};
const resetPassword = createRoute({ ...screenOf(mailScreens.resetPassword, 'ResetPasswordPage'), ...byMail });
const verifyEmail = createRoute({ ...screenOf(mailScreens.verifyEmail, 'VerifyEmailPage'), ...byMail });
const notMe = createRoute({ ...screenOf(mailScreens.notMe, 'NotMePage'), ...byMail });
const unsubscribe = createRoute({ ...screenOf(mailScreens.unsubscribe, 'UnsubscribePage'), ...byMail });

const operatorSignIn = (path: '/admin-login' | '/secret-admin' | '/admin-key') =>
  createRoute({
    path,
    getParentRoute: () => root,
    staticData: { title: 'adminLogin' },
    validateSearch: (search: Record<string, unknown>): { error?: string } => textOf('error', search),
    component: lazyRouteComponent(
      () => withWords(import('./access/admin-login-page.tsx'), 'access'),
      path === '/admin-login' ? 'AdminLoginPage' : 'GatedAdminLoginPage',
    ),
  });

const operator = createRoute({
  id: 'operator',
  getParentRoute: () => root,
  component: lazyRouteComponent(() => import('./shell/operator-area.tsx'), 'OperatorArea'),
});

const overviewTabs = ['withdrawals', 'users', 'wallet', 'security', 'settings', 'support', 'system'] as const;

const overview = createRoute({
  ...screenOf(operatorScreens.overview, 'OverviewPage'),
  getParentRoute: () => operator,
  validateSearch: (search: Record<string, unknown>): { tab?: (typeof overviewTabs)[number] } =>
    oneOf('tab', overviewTabs, search),
});

const queue = createRoute({
  ...screenOf(operatorScreens.queue, 'QueuePage'),
  getParentRoute: () => operator,
  validateSearch: listSearchOf(readWithdrawalQueue.list),
});

const tickets = createRoute({
  ...screenOf(operatorScreens.tickets, 'OperatorSupportPage'),
  getParentRoute: () => operator,
  validateSearch: supportSearchOf,
});

const appeals = createRoute({
  ...screenOf(operatorScreens.appeals, 'AppealsPage'),
  getParentRoute: () => operator,
  validateSearch: decisionSearchOf,
});

const fraud = createRoute({
  ...screenOf(operatorScreens.fraud, 'FraudPage'),
  getParentRoute: () => operator,
  validateSearch: fraudSearchOf,
});

const chatModeration = createRoute({
  ...screenOf(operatorScreens.chatModeration, 'ChatModerationPage'),
  getParentRoute: () => operator,
  validateSearch: chatSearchOf,
});

const approvals = createRoute({
  ...screenOf(operatorScreens.approvals, 'ApprovalsPage'),
  getParentRoute: () => operator,
  validateSearch: listSearchOf(readPendingEarnings.list),
});

const grants = createRoute({
  ...screenOf(operatorScreens.grants, 'GrantsPage'),
  getParentRoute: () => operator,
  validateSearch: listSearchOf(readGrants.list),
});

const chargebacks = createRoute({
  ...screenOf(operatorScreens.chargebacks, 'ChargebacksPage'),
  getParentRoute: () => operator,
  validateSearch: fromMember(listSearchOf(readAllChargebacks.list)),
});

const postbacks = createRoute({
  ...screenOf(operatorScreens.postbacks, 'PostbacksPage'),
  getParentRoute: () => operator,
  validateSearch: listSearchOf(readPostbacks.list),
});

const quarantine = createRoute({
  ...screenOf(operatorScreens.quarantine, 'QuarantinePage'),
  getParentRoute: () => operator,
  validateSearch: listSearchOf(readQuarantine.list),
});

const payouts = createRoute({
  ...screenOf(operatorScreens.payouts, 'PayoutsPage'),
  getParentRoute: () => operator,
  validateSearch: listSearchOf(readPayouts.list),
});

const registrations = createRoute({
  ...screenOf(operatorScreens.registrations, 'RegistrationsPage'),
  getParentRoute: () => operator,
  validateSearch: listSearchOf(readRegistrationReviews.list),
});

const books = createRoute({
  ...screenOf(operatorScreens.books, 'BooksPage'),
  getParentRoute: () => operator,
  validateSearch: (search: Record<string, unknown>) => textsOf(['account', 'month', 'audit'], search),
});

const wallets = createRoute({
  ...screenOf(operatorScreens.wallets, 'WalletsPage'),
  getParentRoute: () => operator,
  validateSearch: (search: Record<string, unknown>) => oneOf('tab', ['business', 'crypto'], search),
});

const catalogue = createRoute({
  ...screenOf(operatorScreens.catalogue, 'CataloguePage'),
  getParentRoute: () => operator,
  validateSearch: listSearchOf(readEntries.list),
});

const audit = createRoute({
  ...screenOf(operatorScreens.audit, 'AuditTrailPage'),
  getParentRoute: () => operator,
  validateSearch: listSearchOf(readAuditTrail.list),
});

const config = createRoute({
  ...screenOf(operatorScreens.config, 'SettingsPage'),
  getParentRoute: () => operator,
  validateSearch: configSearchOf,
});

const users = createRoute({
  ...screenOf(operatorScreens.users, 'UsersPage'),
  getParentRoute: () => operator,
  validateSearch: listSearchOf(readUsers.list),
});

const suspensions = createRoute({
  ...screenOf(operatorScreens.suspensions, 'MultiAccountPage'),
  getParentRoute: () => operator,
  validateSearch: multiAccountSearchOf,
});

const claims = createRoute({
  ...screenOf(operatorScreens.claims, 'ClaimsPage'),
  getParentRoute: () => operator,
  validateSearch: listSearchOf(readClaimQueue.list),
});

const announcements = createRoute({
  ...screenOf(operatorScreens.announcements, 'AnnouncementsPage'),
  getParentRoute: () => operator,
  validateSearch: listSearchOf(readAnnouncementList.list),
});

/** One member, by the id. */
const memberRecord = createRoute({
  ...screenOf(operatorScreens.member, 'MemberPage'),
  getParentRoute: () => operator,
  validateSearch: memberSearchOf,
});

const routeTree = root.addChildren([
  member.addChildren([
    home,
    coinFlipVerify,
    earn,
    tasks,
    surveys,
    cpxSurveys,
    kiwiwall,
    history,
    chargebackHistory,
    withdrawal,
    notices,
    decisions,
    referrals,
    profile,
    settings,
    walletSettings,
  ]),
  auth,
  login,
  resetPassword,
  verifyEmail,
  notMe,
  unsubscribe,
  operatorSignIn('/admin-login'),
  operatorSignIn('/secret-admin'),
  operatorSignIn('/admin-key'),
  operator.addChildren([
    overview,
    queue,
    tickets,
    appeals,
    fraud,
    claims,
    chatModeration,
    approvals,
    grants,
    chargebacks,
    postbacks,
    quarantine,
    payouts,
    registrations,
    books,
    wallets,
    catalogue,
    config,
    audit,
    users,
    suspensions,
    announcements,
    memberRecord,
  ]),
  unknown,
]);

hideLeftOut(routeTree);

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultErrorComponent: PageError,
  // Unknown and invalid values are dropped, so that a mistyped page number shows the first page and no error.
  search: { strict: true },
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
