import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import type { ReplyOf } from '#contract/endpoint.ts';
import * as contract from '#contract/members-account.ts';
import { sessionCookieName } from '#platform/http/caller.ts';
import { handle } from '#platform/http/handle.ts';
import type { Platform } from '#platform/platform.ts';
import * as account from './account.ts';
import { deleteOwnAccount, type HasUndecidedWithdrawal } from './account-deletion.ts';
import { readDisplayRates } from './display-rates.ts';
import { type ExportSection, exportText } from './export.ts';
import { clearSessionCookies } from './sessions.ts';
import { changeSettings, deviceLanguageOf, readSettings } from './settings.ts';

/** What other features tell members about a member: they are built on members, so they are handed in. */
export type AccountParts = {
  hasUndecidedWithdrawal: HasUndecidedWithdrawal;
  exportSections: readonly ExportSection[];
};

const languageOf = (request: FastifyRequest) =>
  deviceLanguageOf(request.cookies.language, request.headers['accept-language']);

/** HTTP for members: their own account. */
export function accountRoutes(platform: Platform, parts: AccountParts): void {
  settingsRoutes(platform);
  passwordRoutes(platform);
  sessionsRoutes(platform);
  leavingRoutes(platform, parts);
}

function settingsRoutes(platform: Platform): void {
  const { database, bus } = platform;
  handle(platform, contract.readSettings, ({ caller, request }) =>
    readSettings(database, caller.id, languageOf(request)),
  );
  handle(platform, contract.changeSettings, ({ caller, body, request }) =>
    changeSettings(database, caller.id, body, languageOf(request)),
  );
  handle(platform, contract.readDisplayRates, () => readDisplayRates(database));
  handle(platform, contract.changeChatTheme, async ({ caller, body }) => {
    const user = await account.changeChatTheme(database, caller.id, body);
    // The current user is read through the cache of sessions, which holds the former colours.
    bus.endSessions({ memberId: caller.id });
    return user;
  });
}

function passwordRoutes(platform: Platform): void {
  handle(platform, contract.readPasswordState, ({ caller }) =>
    account.readPasswordState(platform.database, caller.id),
  );
  handle(platform, contract.changePassword, async ({ caller, body }) => {
    await account.changePassword(platform, caller, body);
    return null;
  });
}

function sessionsRoutes(platform: Platform): void {
  handle(platform, contract.readSessions, ({ caller }) => account.readSessions(platform.database, caller));
  handle(platform, contract.endSession, async ({ caller, params, reply }) => {
    await account.endSession(platform, caller.id, params.id);
    if (params.id === caller.sessionId) clearSessionCookies(reply, cookieSiteOf(platform));
    return null;
  });
  handle(platform, contract.endOtherSessions, async ({ caller }) => {
    await account.endOtherSessions(platform, caller);
    return null;
  });
}

function leavingRoutes(platform: Platform, parts: AccountParts): void {
  handle(platform, contract.deleteAccount, async ({ caller, body, reply }) => {
    await deleteOwnAccount(platform, caller, body.password, parts.hasUndecidedWithdrawal);
    clearSessionCookies(reply, cookieSiteOf(platform));
    return null;
  });
  handle(platform, contract.readExport, async ({ caller, request, reply }) => {
    await platform.limits.countExport(caller.id);
    reply
      .header('content-type', 'application/json; charset=utf-8')
      .header('content-disposition', `attachment; filename="account-${caller.id}.json"`);
    const text = exportText(platform.database, caller.id, languageOf(request), parts.exportSections);
    // It is sent while it is read; its shape is the contract's all the same.
    return Readable.from(text) as unknown as ReplyOf<typeof contract.readExport>;
  });
}

const cookieSiteOf = ({ config }: Platform) => ({
  name: sessionCookieName(config.publicUrl),
  isSecure: config.publicUrl.startsWith('https:'),
});
