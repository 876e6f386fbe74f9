import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import type { ReplyOf } from '#contract/endpoint.ts';
import * as contract from '#contract/members.ts';
import * as operators from '#contract/members-operators.ts';
import type { Reader } from '#platform/database.ts';
import { memberKey } from '#platform/http/admission.ts';
import { type Call, handle } from '#platform/http/handle.ts';
import { deviceLanguageOf } from '#platform/http/language.ts';
import type { Limit } from '#platform/http/limits.ts';
import { clearSessionCookies } from '#platform/http/session-cookies.ts';
import type { Platform } from '#platform/platform.ts';
import { type DeletionParts, deleteOwnAccount } from './account-deletion.ts';
import { readDisplayRates } from './display-rates.ts';
import { type ExportSection, exportText } from './export.ts';
import { siteConfigOf } from './members.ts';
import { readOperators } from './operators.ts';
import { changeChatTheme, changeSettings, type Device, readSettings } from './settings.ts';

/** Parts of features that depend on members; `app.ts` passes them in. */
export type AccountParts = DeletionParts & {
  /** Finds the time zone that the member's latest device reported. */
  findDeviceTimezone(reader: Reader, memberId: number): Promise<string | null>;
  exportSections: readonly ExportSection[];
  /** Reads the providers that a member's screens can name. */
  readProviders(): Promise<contract.SiteConfig['providers']>;
  /** Reads the payment methods that members may choose now. */
  readPayoutMethods(): contract.SiteConfig['payoutMethods'];
};

/** Exports per member. Each reads all of the member's data. */
export const dataCopies: Limit = { name: 'exports', max: 10, perS: 3_600, scaledIn: 'sandbox' };

/** HTTP for members: their account and settings; for all: the site's configuration; for operators: who they are. */
export function membersRoutes(platform: Platform, parts: AccountParts): void {
  handle(platform, contract.readConfig, async ({ caller }) => ({
    ...siteConfigOf(platform.config, await platform.settings.read()),
    payoutMethods: parts.readPayoutMethods(),
    providers: caller === undefined ? [] : await parts.readProviders(),
  }));
  handle(platform, operators.readOperators, () => readOperators(platform.database));
  settingsRoutes(platform, parts);
  leavingRoutes(platform, parts);
}

async function deviceOf(
  { database }: Platform,
  parts: AccountParts,
  memberId: number,
  request: FastifyRequest,
): Promise<Device> {
  return {
    language: deviceLanguageOf(request),
    timezone: await parts.findDeviceTimezone(database, memberId),
  };
}

function settingsRoutes(platform: Platform, parts: AccountParts): void {
  const { database, bus } = platform;
  handle(platform, contract.readSettings, async ({ caller, request }) =>
    readSettings(database, caller.id, await deviceOf(platform, parts, caller.id, request)),
  );
  handle(platform, contract.changeSettings, async ({ caller, body, request }) =>
    changeSettings(database, caller.id, body, await deviceOf(platform, parts, caller.id, request)),
  );
  handle(platform, contract.readDisplayRates, () => readDisplayRates(database));
  handle(platform, contract.changeChatTheme, async ({ caller, body }) => {
    const user = await changeChatTheme(database, caller.id, body);
    // Cached sessions hold the user with the former colours, so they are dropped.
    bus.announceSessionChange({ memberId: caller.id });
    return user;
  });
}

function leavingRoutes(platform: Platform, parts: AccountParts): void {
  handle(platform, contract.deleteAccount, async ({ caller, body, reply }) => {
    await deleteOwnAccount(platform, caller, body.password, parts);
    clearSessionCookies(platform, reply);
    return null;
  });
  const writeExport = async ({ caller, request, reply }: Call<typeof contract.readExport>) => {
    reply
      .header('content-type', 'application/json; charset=utf-8')
      .header('content-disposition', `attachment; filename="account-${caller.id}.json"`);
    const device = await deviceOf(platform, parts, caller.id, request);
    const text = exportText(platform.database, caller.id, device, parts.exportSections);
    // A stream of JSON text in the contract's shape.
    return Readable.from(text) as unknown as ReplyOf<typeof contract.readExport>;
  };
  handle(platform, contract.readExport, writeExport, {
    limits: [{ limit: dataCopies, by: ({ caller }) => memberKey(caller.id) }],
  });
}
