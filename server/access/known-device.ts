import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Platform } from '#platform/platform.ts';
import { findOwnCredentials } from '../members/sign-in-queries.ts';

/**
 * Browsers that have signed in to an account before. A cookie with a signature over the account, its password and a
 * random id marks them. Their failed sign-ins have a count of their own, so that strangers who guess can't lock an
 * owner out. A new password voids all marks, so that a person who knew the former one gets no attempts of their own.
 */
const COOKIE = 'known-device';
const PURPOSE = 'known device';
const COOKIE_S = 180 * 24 * 3600;

type Account = { id: number; passwordHash: string | null };

const textOf = (id: string, account: Account) => `${id} ${account.id} ${account.passwordHash ?? ''}`;

/** Finds the id of a browser that has signed in to this account; undefined for any other browser. */
export function findKnownDevice(
  { secrets }: Pick<Platform, 'secrets'>,
  request: FastifyRequest,
  account: Account,
): string | undefined {
  const [id, signature] = (request.cookies[COOKIE] ?? '').split('.');
  if (id === undefined || signature === undefined || !/^[\w-]{22}$/.test(id)) return undefined;
  return secrets.isSigned(textOf(id, account), signature, PURPOSE) ? id : undefined;
}

/** Marks the browser as one that knows this account. Call it after a sign-in and after a new password. */
export async function rememberDevice(
  { config, database, secrets }: Pick<Platform, 'config' | 'database' | 'secrets'>,
  reply: FastifyReply,
  memberId: number,
): Promise<void> {
  const account = await findOwnCredentials(database, memberId);
  if (account === undefined) return;
  const id = randomBytes(16).toString('base64url');
  const signature = secrets.sign(textOf(id, { ...account, id: memberId }), PURPOSE);
  reply.setCookie(COOKIE, `${id}.${signature}`, {
    path: '/api/auth',
    httpOnly: true,
    sameSite: 'lax',
    secure: config.publicUrl.startsWith('https:'),
    maxAge: COOKIE_S,
  });
}
