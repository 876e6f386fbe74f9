import type { FastifyReply, FastifyRequest } from 'fastify';
import * as contract from '#contract/members.ts';
import { callerOf, handle, sessionCookieName } from '#platform/http/handle.ts';
import type { PhoneVerification } from '#platform/phone-verification.ts';
import type { Platform } from '#platform/platform.ts';
import { refuse } from '#platform/refusal.ts';
import { hasPassedGate, passGate, requireGate } from './gate.ts';
import { signIn, siteConfigOf } from './members.ts';
import { sendPhoneCode, verifyPhoneCode } from './phone.ts';
import { checkRegistration, readFingerprint, recordDevice, register } from './registration.ts';
import { clearSessionCookies, closeSession, type Sessions, setSessionCookies, userOf } from './sessions.ts';

/** HTTP for members: who somebody is. */
export function membersRoutes(platform: Platform, sessions: Sessions, phones: PhoneVerification): void {
  handle(platform, contract.readConfig, async () => siteConfigOf(platform));
  signInRoutes(platform, sessions);
  securityRoutes(platform);
  accountRoutes(platform, sessions, phones);
}

const fromOf = (request: FastifyRequest) => ({
  address: request.ip,
  userAgent: request.headers['user-agent'] ?? '',
});

const siteOf = ({ config }: Platform) => ({
  name: sessionCookieName(config.publicUrl),
  isSecure: config.publicUrl.startsWith('https:'),
});

function signInRoutes(platform: Platform, sessions: Sessions): void {
  const site = siteOf(platform);
  const endSession = async (request: FastifyRequest) => {
    const token = request.cookies[site.name];
    if (token === undefined) return;
    const memberId = await closeSession(platform.database, token);
    sessions.forget(token);
    if (memberId !== undefined) platform.bus.endSessions({ memberId });
  };
  /** A sign-in gives a new token and ends the one it came with. */
  const beginSession = async (request: FastifyRequest, reply: FastifyReply, token: string) => {
    await endSession(request);
    setSessionCookies(reply, site, token);
  };

  handle(platform, contract.register, async ({ body, request, reply }) => {
    const { user, token } = await register(platform, body, fromOf(request));
    await beginSession(request, reply, token);
    return user;
  });
  handle(platform, contract.login, async ({ body, request, reply }) => {
    const { user, token } = await signIn(platform, body, fromOf(request));
    await beginSession(request, reply, token);
    return user;
  });
  handle(platform, contract.adminLogin, async ({ body, request, reply }) => {
    requireGate(platform, request);
    const credentials = { email: body.username, password: body.password };
    const { user, token } = await signIn(platform, credentials, fromOf(request));
    await beginSession(request, reply, token);
    return { user };
  });
  handle(platform, contract.passGate, async ({ body, request, reply }) => {
    if (!hasPassedGate(platform, request)) await passGate(platform, body.key, request, reply);
    return null;
  });
  handle(platform, contract.logout, async ({ request, reply }) => {
    await endSession(request);
    clearSessionCookies(reply, site);
    return null;
  });
}

function securityRoutes(platform: Platform): void {
  const { database } = platform;
  handle(platform, contract.checkRegistration, ({ body, ip }) =>
    checkRegistration(database, {
      email: body.email,
      fields: readFingerprint(body.deviceFingerprint),
      address: ip,
    }),
  );
  handle(platform, contract.recordFingerprint, async ({ body, ip, request }) => {
    await recordDevice(database, { fields: body, memberId: callerOf(request)?.id ?? null, address: ip });
    return null;
  });
}

function accountRoutes(platform: Platform, sessions: Sessions, phones: PhoneVerification): void {
  const { name } = siteOf(platform);
  const currentUser = async (request: FastifyRequest) => {
    const session = await sessions.find(request.cookies[name] ?? '', 'cached');
    if (session === undefined) throw refuse('unauthenticated');
    return userOf(session);
  };
  handle(platform, contract.readUser, ({ request }) => currentUser(request));
  handle(platform, contract.readAuthUser, ({ request }) => currentUser(request));
  handle(platform, contract.sendPhoneVerification, ({ body, caller }) =>
    sendPhoneCode(platform, phones, caller.id, body.phoneNumber),
  );
  handle(platform, contract.verifyPhoneCode, async ({ body, caller, request }) => {
    const user = await verifyPhoneCode(platform, phones, caller.id, body);
    sessions.forget(request.cookies[name] ?? '');
    platform.bus.endSessions({ memberId: caller.id });
    return user;
  });
}
