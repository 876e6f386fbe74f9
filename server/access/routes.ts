import type { FastifyReply, FastifyRequest } from 'fastify';
import * as contract from '#contract/access.ts';
import { logBehaviour, trackBehaviour } from '#contract/access-behaviour.ts';
import * as credentials from '#contract/access-credentials.ts';
import * as denial from '#contract/access-denial.ts';
import type { User } from '#contract/user.ts';
import { callerKey, memberKey } from '#platform/http/admission.ts';
import { sessionCookieName } from '#platform/http/caller.ts';
import { handle, writtenJson } from '#platform/http/handle.ts';
import { deviceLanguageOf } from '#platform/http/language.ts';
import { clearSessionCookies, setSessionCookies } from '#platform/http/session-cookies.ts';
import type { PhoneVerification } from '#platform/phone-verification.ts';
import type { Platform } from '#platform/platform.ts';
import { Refusal, refuse } from '#platform/refusal.ts';
import { type BeginReferral, userTextOf } from '../members/members.ts';
import { accountKey } from './account-key.ts';
import { keepBehaviour } from './behaviour.ts';
import { readDeviceCookie, setDeviceCookie, setFlowCookie, takeFlowCookie } from './cookies.ts';
import { denyAct, denyByMail } from './denial.ts';
import { fingerprintHash, recordDevice } from './devices.ts';
import { askForVerification, verifyEmail } from './email-verification.ts';
import { gateStateOf, isOpen, needsKey, passGate, requireGate } from './gate.ts';
import { createGoogle, GoogleFailure } from './google.ts';
import { enterByIdentity } from './google-accounts.ts';
import { findKnownDevice, rememberDevice } from './known-device.ts';
import {
  fingerprints,
  gateTries,
  mailsFromAddress,
  mailsToMailbox,
  phoneNumbers,
  phoneNumbersOfSource,
  registrationChecks,
  registrations,
} from './limits.ts';
import { changePassword, readPasswordState } from './own-password.ts';
import { askForReset, resetPassword, setFirstPassword } from './password-reset.ts';
import { sendPhoneCode, verifyPhoneCode } from './phone.ts';
import { checkRegistration, readFingerprint, register } from './registration.ts';
import {
  closeSession,
  endOldestSessions,
  endOtherSessions,
  endSession,
  readSessions,
  type Sessions,
} from './sessions.ts';
import { signIn } from './sign-in.ts';

/** HTTP of access: registration, sign-in, sessions, passwords, phone and reports. */
export function accessRoutes(
  platform: Platform,
  sessions: Sessions,
  phones: PhoneVerification,
  beginReferral: BeginReferral,
): void {
  const browserSession = browserSessionOf(platform, sessions);
  signInRoutes(platform, browserSession, beginReferral);
  googleRoutes(platform, browserSession, beginReferral);
  mailRoutes(platform);
  denialRoutes(platform);
  securityRoutes(platform);
  userRoutes(platform, sessions, phones);
  passwordRoutes(platform);
  sessionsRoutes(platform);
}

const fromOf = (platform: Platform, request: FastifyRequest) => ({
  gate: gateStateOf(platform, request),
  findKnownDevice: (account: { id: number; passwordHash: string | null }) =>
    findKnownDevice(platform, request, account),
  address: request.ip,
  userAgent: request.headers['user-agent'] ?? '',
  language: deviceLanguageOf(request),
});

/** Starts and ends the browser's session. */
type BrowserSession = {
  /** Sets the cookies of a new session, ends the former one and the oldest beyond 20, and remembers the browser. */
  start(
    request: FastifyRequest,
    reply: FastifyReply,
    opened: { memberId: number; token: string },
  ): Promise<void>;
  end(request: FastifyRequest, reply: FastifyReply): Promise<void>;
};

function browserSessionOf(platform: Platform, sessions: Sessions): BrowserSession {
  const cookieName = sessionCookieName(platform.config.publicUrl);
  const endCurrent = async (request: FastifyRequest) => {
    const token = request.cookies[cookieName];
    if (token === undefined) return;
    const memberId = await closeSession(platform.database, token);
    sessions.forget(token);
    if (memberId !== undefined) platform.bus.announceSessionChange({ memberId });
  };
  return {
    start: async (request, reply, { memberId, token }) => {
      await endCurrent(request);
      await endOldestSessions(platform, memberId);
      setSessionCookies(platform, reply, token);
      await rememberDevice(platform, reply, memberId);
    },
    end: async (request, reply) => {
      await endCurrent(request);
      clearSessionCookies(platform, reply);
    },
  };
}

function signInRoutes(
  platform: Platform,
  browserSession: BrowserSession,
  beginReferral: BeginReferral,
): void {
  handle(
    platform,
    contract.register,
    async ({ body, request, reply }) => {
      const { user, token } = await register(platform, body, fromOf(platform, request), beginReferral);
      await browserSession.start(request, reply, { memberId: Number(user.id), token });
      return user;
    },
    { limits: [{ limit: registrations, by: ({ ip }) => ip }] },
  );
  handle(platform, contract.login, async ({ body, request, reply }) => {
    const { user, token } = await signIn(platform, body, fromOf(platform, request));
    await browserSession.start(request, reply, { memberId: Number(user.id), token });
    return user;
  });
  handle(platform, contract.adminLogin, async ({ body, request, reply }) => {
    const from = fromOf(platform, request);
    requireGate(from.gate);
    const { username, ...secrets } = body;
    const { user, token } = await signIn(platform, { email: username, ...secrets }, from);
    await browserSession.start(request, reply, { memberId: Number(user.id), token });
    return { user };
  });
  handle(platform, contract.readGate, async ({ caller, request }) => ({
    isOpen: !needsKey(gateStateOf(platform, request), caller),
  }));
  handle(
    platform,
    contract.passGate,
    async ({ body, caller, request, reply }) => {
      await passGate(platform, { key: body.key, gate: gateStateOf(platform, request), caller, reply });
      return null;
    },
    {
      limits: [
        { limit: gateTries, by: ({ ip, request }) => (isOpen(gateStateOf(platform, request)) ? null : ip) },
      ],
    },
  );
  handle(platform, contract.logout, async ({ request, reply }) => {
    await browserSession.end(request, reply);
    return null;
  });
}

/** The URL of the auth page, or of the operators' gate, with the error's code. Rethrows faults. */
function toAuthPage(error: unknown): string {
  if (!(error instanceof GoogleFailure || error instanceof Refusal)) throw error;
  return `${error.code === 'wrong-key' ? '/admin-key' : '/auth'}?error=${error.code}`;
}

function googleRoutes(
  platform: Platform,
  browserSession: BrowserSession,
  beginReferral: BeginReferral,
): void {
  const { config } = platform;
  const google = config.google === null ? null : createGoogle(platform, config.google);
  handle(platform, contract.startGoogle, async ({ query, reply }) => {
    if (google === null) throw refuse('not-found');
    const referralCode = query.ref || query.referral || null;
    try {
      const { location, flow } = await google.begin(referralCode);
      setFlowCookie(platform, reply, flow);
      return location;
    } catch (error) {
      return toAuthPage(error);
    }
  });
  handle(platform, contract.finishGoogle, async ({ caller, request, reply }) => {
    if (google === null) throw refuse('not-found');
    try {
      const flow = takeFlowCookie(platform, request, reply);
      if (flow === undefined) throw new GoogleFailure('google-failed');
      const identity = await google.finish(flow, new URL(request.raw.url ?? '', config.publicUrl));
      const entered = await enterByIdentity(platform, identity, {
        ...fromOf(platform, request),
        signedInId: caller?.id ?? null,
        referralCode: flow.referralCode,
        beginReferral,
        device: readDeviceCookie(platform, request),
        countRegistration: () => platform.limits.count(registrations, request.ip),
      });
      if (entered.hasEndedSessions) platform.bus.announceSessionChange({ memberId: entered.memberId });
      await browserSession.start(request, reply, entered);
      return '/';
    } catch (error) {
      return toAuthPage(error);
    }
  });
}

/** The word of a member that an act on the account was not theirs. */
function denialRoutes(platform: Platform): void {
  handle(platform, denial.denyByMail, async ({ body, ip }) => {
    await denyByMail(platform, body.token, ip);
    return null;
  });
  handle(platform, denial.denyAct, async ({ caller, reply }) => {
    await denyAct(platform, caller.id);
    clearSessionCookies(platform, reply);
    return null;
  });
}

/** Password reset, e-mail verification, and the first password of an account. */
function mailRoutes(platform: Platform): void {
  handle(
    platform,
    credentials.forgotPassword,
    async ({ body }) => {
      await askForReset(platform, body.email);
      return null;
    },
    {
      limits: [
        { limit: mailsFromAddress, by: ({ ip }) => ip },
        { limit: mailsToMailbox, by: ({ body }) => accountKey(body.email) },
      ],
    },
  );
  handle(platform, credentials.resetPassword, async ({ body, ip }) => {
    await resetPassword(platform, body, ip);
    return null;
  });
  handle(platform, credentials.verifyEmail, async ({ body }) => {
    await verifyEmail(platform.database, body.token);
    return null;
  });
  handle(
    platform,
    credentials.sendEmailVerification,
    async ({ caller }) => {
      await askForVerification(platform, caller.id);
      return null;
    },
    {
      limits: [
        { limit: mailsFromAddress, by: ({ ip }) => ip },
        { limit: mailsToMailbox, by: ({ caller }) => memberKey(caller.id) },
      ],
    },
  );
  handle(platform, credentials.setPassword, async ({ body, caller, reply }) => {
    await setFirstPassword(platform, caller, body.newPassword);
    await rememberDevice(platform, reply, caller.id);
    return null;
  });
}

function securityRoutes(platform: Platform): void {
  const { database } = platform;
  handle(
    platform,
    contract.checkRegistration,
    ({ body, ip }) =>
      checkRegistration(platform, {
        email: body.email,
        device: fingerprintHash(readFingerprint(body.deviceFingerprint)),
        address: ip,
      }),
    { limits: [{ limit: registrationChecks, by: ({ ip }) => ip }] },
  );
  handle(
    platform,
    contract.recordFingerprint,
    async ({ body, caller, ip, reply }) => {
      await recordDevice(database, { fields: body, memberId: caller?.id ?? null, address: ip });
      setDeviceCookie(platform, reply, fingerprintHash(body));
      return null;
    },
    { limits: [{ limit: fingerprints, by: ({ caller, ip }) => callerKey(caller, ip) }] },
  );
  handle(platform, logBehaviour, async ({ body, caller, ip }) => {
    const entries = Array.isArray(body) ? body : [body];
    await keepBehaviour(database, { memberId: caller.id, address: ip, entries });
    return null;
  });
  handle(platform, trackBehaviour, async ({ body, caller, ip }) => {
    await keepBehaviour(database, { memberId: caller.id, address: ip, entries: [{ action: body.action }] });
    return null;
  });
}

function userRoutes(platform: Platform, sessions: Sessions, phones: PhoneVerification): void {
  const cookieName = sessionCookieName(platform.config.publicUrl);
  const currentUser = async ({
    request,
    reply,
  }: {
    request: FastifyRequest;
    reply: FastifyReply;
  }): Promise<User> => {
    const found = sessions.find(request.cookies[cookieName] ?? '', 'cached');
    const session = found instanceof Promise ? await found : found;
    if (session === undefined) throw refuse('unauthenticated');
    return writtenJson(reply, userTextOf(session));
  };
  handle(platform, contract.readUser, currentUser);
  handle(platform, contract.readAuthUser, currentUser);
  handle(
    platform,
    credentials.sendPhoneVerification,
    ({ body, caller, ip }) => sendPhoneCode(platform, phones, { id: caller.id, address: ip }, body),
    {
      limits: [
        { limit: phoneNumbers, by: ({ caller }) => memberKey(caller.id) },
        { limit: phoneNumbersOfSource, by: ({ ip }) => ip },
      ],
    },
  );
  handle(platform, credentials.verifyPhoneCode, async ({ body, caller, request }) => {
    const user = await verifyPhoneCode(platform, phones, caller.id, body);
    sessions.forget(request.cookies[cookieName] ?? '');
    platform.bus.announceSessionChange({ memberId: caller.id });
    return user;
  });
}

function passwordRoutes(platform: Platform): void {
  handle(platform, credentials.readPasswordState, ({ caller }) =>
    readPasswordState(platform.database, caller.id),
  );
  handle(platform, credentials.changePassword, async ({ caller, body, reply }) => {
    await changePassword(platform, caller, body);
    await rememberDevice(platform, reply, caller.id);
    return null;
  });
}

function sessionsRoutes(platform: Platform): void {
  handle(platform, contract.readSessions, ({ caller }) => readSessions(platform.database, caller));
  handle(platform, contract.endSession, async ({ caller, params, reply }) => {
    await endSession(platform, caller.id, params.id);
    if (params.id === caller.sessionId) clearSessionCookies(platform, reply);
    return null;
  });
  handle(platform, contract.endOtherSessions, async ({ caller }) => {
    await endOtherSessions(platform, caller);
    return null;
  });
}
