import { fileURLToPath } from 'node:url';
import type { PayoutMethod } from '#contract/payout-texts.ts';
import { endAccess, endSessions } from './access/access.ts';
import { accessAdminRoutes } from './access/admin-routes.ts';
import { findDeviceTimezone } from './access/devices.ts';
import { exportBehaviour, exportDevices, exportIdentities, exportSessions } from './access/export.ts';
import {
  findDeviceSharers,
  listSharedDevices,
  listSharedNetworks,
  loginLines,
  readDeviceFacts,
  readOperatorAddresses,
  readSignInRecord,
} from './access/member-records.ts';
import { withOwnPassword } from './access/own-password.ts';
import { accessRoutes } from './access/routes.ts';
import { sessionScores } from './access/session-scores.ts';
import { callerOfSession, createSessions, type Sessions } from './access/sessions.ts';
import { announcementsAdminRoutes } from './announcements/admin-routes.ts';
import { keepLatestId } from './announcements/announcements.ts';
import { announcementsRoutes } from './announcements/routes.ts';
import { exportBonus } from './bonus/export.ts';
import { bonusRoutes } from './bonus/routes.ts';
import { broadcastsAdminRoutes } from './broadcasts/admin-routes.ts';
import { stopTermsBroadcast } from './broadcasts/broadcasts.ts';
import { exportBroadcasts } from './broadcasts/export.ts';
import { broadcastsRoutes } from './broadcasts/routes.ts';
import { chatAdminRoutes } from './chat/admin-routes.ts';
import { findTypist } from './chat/chat.ts';
import { exportChatBans, exportMessages } from './chat/export.ts';
import { keepWords } from './chat/kept-words.ts';
import { chatReportRoutes } from './chat/report-routes.ts';
import { chatRoutes } from './chat/routes.ts';
import { claimsAdminRoutes } from './claims/admin-routes.ts';
import { exportClaims } from './claims/export.ts';
import { claimsRoutes } from './claims/routes.ts';
import { exportGames } from './coinflip/export.ts';
import { coinflipRoutes } from './coinflip/routes.ts';
import { decisionsAdminRoutes } from './decisions/admin-routes.ts';
import { exportAppeals } from './decisions/export.ts';
import { decisionsRoutes } from './decisions/routes.ts';
import { earningAdminRoutes } from './earning/admin-routes.ts';
import { startCounting } from './earning/ceilings.ts';
import { requireOwnChargeback } from './earning/chargebacks.ts';
import { readNameableProviders } from './earning/earning.ts';
import { exportHeldEarnings, exportOpenings } from './earning/export.ts';
import { earningHooks } from './earning/hooks.ts';
import { countHeldByDetection, findEarners, readReversalTotals } from './earning/member-records.ts';
import { listReversalsSince, readMemberSources } from './earning/member-sources.ts';
import { enabledWallOrigins } from './earning/provider-settings.ts';
import { earningRoutes } from './earning/routes.ts';
import { grantsAdminRoutes } from './grants/admin-routes.ts';
import { ledgerAdminRoutes } from './ledger/admin-routes.ts';
import { exportMovements, type ReadNames } from './ledger/ledger.ts';
import { ledgerRoutes } from './ledger/routes.ts';
import { movementLines } from './ledger/timeline.ts';
import { membersAdminRoutes, type OperatorParts } from './members/admin-routes.ts';
import { readMemberBackground } from './members/background.ts';
import { type ExportSection, exportSuspensions } from './members/export.ts';
import { readNamesOf, siteConfigOf } from './members/members.ts';
import { isOperatorSince, isOwn } from './members/operators.ts';
import { membersRoutes } from './members/routes.ts';
import { namesReader } from './names.ts';
import { exportNotices } from './notices/export.ts';
import { addMessage, addNotice, announceNotices } from './notices/notices.ts';
import { noticesRoutes } from './notices/routes.ts';
import { noticeSources } from './notices/timeline.ts';
import { panelRoutes } from './panel.ts';
import { actLines, registerAuditTrail } from './platform/audit-trail.ts';
import { type Bus, createBus } from './platform/bus.ts';
import type { Config } from './platform/config.ts';
import type { Database } from './platform/database.ts';
import type { Health } from './platform/health.ts';
import { refuseBlocked } from './platform/http/admission.ts';
import { blockedPage } from './platform/http/blocked-page.ts';
import { watchForwarded } from './platform/http/forwarded.ts';
import { createLimits } from './platform/http/limits.ts';
import { registerDocs, registerHealth } from './platform/http/operations.ts';
import { registerPages } from './platform/http/pages.ts';
import { collectRoutes, type DeclaredRoute } from './platform/http/route-access.ts';
import { createServer } from './platform/http/server.ts';
import { registerSite } from './platform/http/site.ts';
import type { Log } from './platform/log.ts';
import { createMetrics, observeHealth, observeNode, observeRequests } from './platform/metrics.ts';
import { type Networks, noNetworks } from './platform/networks.ts';
import { createPhoneVerification } from './platform/phone-verification.ts';
import type { Platform } from './platform/platform.ts';
import { createPresence } from './platform/presence.ts';
import { registerRealtime } from './platform/realtime.ts';
import { secretsOf } from './platform/secrets.ts';
import { createSettings } from './platform/settings.ts';
import { readSiteName } from './platform/site-name.ts';
import { exportReferrals } from './referrals/export.ts';
import { beginReferral } from './referrals/referrals.ts';
import { referralsRoutes } from './referrals/routes.ts';
import { riskAdminRoutes } from './risk/admin-routes.ts';
import { exportHousehold, findHouseholders } from './risk/households.ts';
import { keepBlocks } from './risk/kept-blocks.ts';
import { type KeptHouseholds, keepHouseholds } from './risk/kept-households.ts';
import { riskRoutes } from './risk/routes.ts';
import { supportAdminRoutes } from './support/admin-routes.ts';
import { exportTickets } from './support/export.ts';
import { supportRoutes } from './support/routes.ts';
import { listNewestTickets, lockTicketOf, reopenTicket } from './support/support.ts';
import { ticketLines } from './support/timeline.ts';
import { systemRoutes } from './system.ts';
import { walletsAdminRoutes } from './wallets/admin-routes.ts';
import { withdrawalsAdminRoutes } from './withdrawals/admin-routes.ts';
import { backgroundRoutes } from './withdrawals/background-routes.ts';
import { exportWithdrawals, hasUndecidedWithdrawal } from './withdrawals/export.ts';
import { keepMethods } from './withdrawals/kept-methods.ts';
import {
  decisionLines,
  findPayees,
  findSharers,
  listSharedDestinations,
  readMemberTotals,
  readPaidPoints,
  requireOwnWithdrawal,
} from './withdrawals/member-records.ts';
import { withdrawalsRoutes } from './withdrawals/routes.ts';

/** Builds the application. It lists every feature explicitly; nothing is found by scanning. */
export type AppParts = {
  config: Config;
  database: Database;
  log: Log;
  health: Health;
  /** Those of GEOIP_DB. */
  networks?: Networks;
  /** Adds the sandbox's routes. Live mode passes nothing. */
  mountSandbox?: (platform: Platform) => void;
  /** The folder of the built web. Tests may have none. */
  distDir?: string;
};

const distDirDefault = fileURLToPath(new URL('../web/dist', import.meta.url));

/** The features' sections of the export of a member's data. */
const exportSectionsOf = (readNames: ReadNames): readonly ExportSection[] => [
  { name: 'sessions', rows: exportSessions },
  { name: 'devices', rows: exportDevices },
  { name: 'signIns', rows: exportIdentities },
  { name: 'suspensions', rows: exportSuspensions },
  { name: 'behaviour', rows: exportBehaviour },
  { name: 'movements', rows: (reader, memberId) => exportMovements(reader, readNames, memberId) },
  { name: 'withdrawals', rows: exportWithdrawals },
  { name: 'walls', rows: exportOpenings },
  { name: 'heldEarnings', rows: exportHeldEarnings },
  { name: 'games', rows: exportGames },
  { name: 'bonus', rows: exportBonus },
  { name: 'referrals', rows: exportReferrals },
  { name: 'tickets', rows: exportTickets },
  { name: 'claims', rows: exportClaims },
  { name: 'messages', rows: exportMessages },
  { name: 'chatBans', rows: exportChatBans },
  { name: 'appeals', rows: exportAppeals },
  { name: 'household', rows: exportHousehold },
  { name: 'notices', rows: exportNotices },
  { name: 'broadcasts', rows: exportBroadcasts },
];

/** What the features know of members, for operators. */
const operatorPartsOf = (readNames: ReadNames, networks: Networks): OperatorParts => ({
  endAccess,
  endSessions,
  addDecisionNotice: (tx, memberId, facts) => addNotice(tx, memberId, 'decision', facts),
  addMessage,
  announceNotices,
  hasUndecidedWithdrawal,
  ownerFinders: [findPayees, findEarners],
  readPaidPoints,
  readWithdrawalTotals: readMemberTotals,
  readReversalTotals,
  readSignInRecord: (reader, memberId) => readSignInRecord(reader, networks, memberId),
  sharerFinders: { 'payout-address': findSharers, device: findDeviceSharers, household: findHouseholders },
  timelineSources: [
    movementLines(readNames),
    decisionLines,
    ...noticeSources,
    loginLines,
    actLines,
    ticketLines,
  ],
});

/** The site's facts on its pages. */
async function readFacts(
  { config, settings }: Platform,
  readAnnouncementId: () => string | null,
  readMethods: () => readonly PayoutMethod[],
) {
  const { brand, processingTime, bonusSchedule, measurementId } = siteConfigOf(
    config,
    await settings.readForPage(),
  );
  const { name: brandName, supportEmail, logoUrl, colors } = brand;
  return {
    brandName,
    supportEmail,
    logoUrl,
    colors,
    processingTime,
    bonusSchedule,
    payoutMethods: readMethods(),
    measurementId,
    announcementId: readAnnouncementId(),
  };
}

/** Adds the routes of risk. Returns who is in a household. */
async function mountRisk(platform: Platform): Promise<KeptHouseholds> {
  const households = await keepHouseholds(platform);
  platform.app.addHook('onClose', async () => households.close());
  riskRoutes(platform, households);
  riskAdminRoutes(platform, sessionScores, readOperatorAddresses, countHeldByDetection, {
    listSharedDestinations,
    listSharedDevices,
    listSharedNetworks,
  });
  return households;
}

async function openBus({ config: { redisUrl }, database, log, health }: AppParts): Promise<Bus> {
  const redis = redisUrl === null ? null : { url: redisUrl, site: await readSiteName(database) };
  return createBus(redis, log, (trouble) => health.report('redis', trouble));
}

/** Begins to measure health, the node, and requests where somebody can read the metrics. */
function startMetrics(platform: Platform): void {
  const { app, config, health, metrics } = platform;
  observeHealth(health, metrics);
  observeNode(platform, metrics);
  if (config.metricsPort !== null) observeRequests(app, metrics);
}

export type App = Platform & {
  /** All routes, each with who may call it. */
  routes: DeclaredRoute[];
};

const authenticateBy =
  (sessions: Sessions): Platform['authenticate'] =>
  (token, freshness) => {
    const found = sessions.find(token, freshness);
    return found instanceof Promise ? found.then(callerOfSession) : callerOfSession(found);
  };

/** What members get besides what providers pay. */
function rewardRoutes(platform: Platform): void {
  grantsAdminRoutes(platform);
  bonusRoutes(platform);
  referralsRoutes(platform);
  coinflipRoutes(platform);
}

function payingRoutes(platform: Platform): void {
  withdrawalsRoutes(platform);
  withdrawalsAdminRoutes(platform);
  backgroundRoutes(platform, {
    readMember: readMemberBackground,
    readDevices: readDeviceFacts,
    readReversalTotals,
    listReversalsSince,
    readSources: readMemberSources,
    listTickets: listNewestTickets,
  });
  walletsAdminRoutes(platform);
}

async function tellingRoutes(platform: Platform): Promise<void> {
  const words = keepWords(platform);
  chatRoutes(platform, words, { lockTicketOf, reopenTicket });
  chatReportRoutes(platform);
  chatAdminRoutes(platform, words);
  supportRoutes(platform, {
    withdrawal: (memberId, id) => requireOwnWithdrawal(platform.database, memberId, id),
    chargeback: (memberId, id) => requireOwnChargeback(platform, memberId, id),
  });
  supportAdminRoutes(platform);
  claimsRoutes(platform);
  claimsAdminRoutes(platform);
  announcementsRoutes(platform);
  announcementsAdminRoutes(platform, { stopMails: stopTermsBroadcast });
  await broadcastsRoutes(platform);
  broadcastsAdminRoutes(platform);
  decisionsRoutes(platform);
  decisionsAdminRoutes(platform);
}

async function documentRoutes(
  platform: Platform,
  readMethods: () => readonly PayoutMethod[],
  distDir = distDirDefault,
): Promise<void> {
  const { latestId, close } = await keepLatestId(platform);
  platform.app.addHook('onClose', async () => close());
  await registerPages(platform, {
    distDir,
    facts: () => readFacts(platform, latestId, readMethods),
    frameOrigins: await enabledWallOrigins(platform),
  });
}

/** @throws Error if a route does not declare who may call it */
export async function createApp(parts: AppParts): Promise<App> {
  const { config, database, log, health } = parts;
  const bus = await openBus(parts);
  const limits = createLimits(config, bus.redis);
  const sessions = createSessions({ database, bus });
  const platform: Platform = {
    app: await createServer(config, log, limits),
    config,
    database,
    bus,
    presence: createPresence(bus),
    limits,
    secrets: secretsOf(config),
    settings: createSettings({ database, mode: config.mode, log }),
    log,
    metrics: createMetrics(),
    networks: parts.networks ?? noNetworks,
    health,
    authenticate: authenticateBy(sessions),
    endpoints: [],
  };
  const { app } = platform;
  const readRoutes = collectRoutes(app);
  app.addHook('onClose', () => bus.close());
  watchForwarded(app, config, health);
  const blocks = await keepBlocks(platform);
  app.addHook('onClose', async () => blocks.close());
  refuseBlocked(app, blocks.isBlocked, async () => {
    const { name, supportEmail } = siteConfigOf(config, await platform.settings.readForPage()).brand;
    return blockedPage({ name, supportEmail });
  });
  startMetrics(platform);
  const readNames = namesReader(platform);
  registerHealth(platform);
  registerAuditTrail(platform, (ids) => readNamesOf(database, ids));
  await registerSite(platform, { isOperatorSince, isOwn });
  accessRoutes(platform, sessions, createPhoneVerification(config.twilio, platform.health), beginReferral);
  accessAdminRoutes(platform);
  const households = await mountRisk(platform);
  const readPayoutMethods = await keepMethods(platform);
  membersRoutes(platform, {
    withOwnPassword,
    endAccess,
    findDeviceTimezone,
    hasUndecidedWithdrawal,
    exportSections: exportSectionsOf(readNames),
    readProviders: () => readNameableProviders(platform),
    readPayoutMethods,
  });
  membersAdminRoutes(platform, operatorPartsOf(readNames, platform.networks));
  ledgerRoutes(platform, readNames);
  ledgerAdminRoutes(platform, readNames, readPaidPoints);
  earningRoutes(platform);
  const counting = await startCounting(platform);
  earningAdminRoutes(platform, counting.ceilings);
  await earningHooks(platform, { ...counting, isInHousehold: households.has });
  rewardRoutes(platform);
  payingRoutes(platform);
  await tellingRoutes(platform);
  noticesRoutes(platform);
  panelRoutes(platform);
  systemRoutes(platform);
  parts.mountSandbox?.(platform);

  registerDocs(platform);
  await registerRealtime(platform, { findTypist: (...typing) => findTypist(platform, ...typing), blocks });
  await documentRoutes(platform, readPayoutMethods, parts.distDir);
  return { ...platform, routes: readRoutes() };
}
