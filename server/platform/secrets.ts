import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import type { Config } from './config.ts';

/**
 * Encrypts stored secrets and signs values. All keys derive from APP_SECRET. Each stored secret has its own key, from a
 * random salt and the name of its place (table, row and column), so a ciphertext moved to another place does not open.
 * A ciphertext names the APP_SECRET that it was made with. While the secret is changed, a second one is accepted too:
 * it opens what it sealed and its signatures are valid, but nothing new is made with it.
 */
export type Secrets = {
  /** Encrypts `text` for the place named by `context` (table, row and column). */
  seal(text: string, context: string): string;
  /** Decrypts text that `seal` made for the same place. Throws if it was changed or moved. */
  open(sealed: string, context: string): string;
  /** Seals anew what another accepted secret sealed; null if it is sealed with the current one. Throws like `open`. */
  reseal(sealed: string, context: string): string | null;
  /** Names the current secret, without telling it. */
  keyId: string;
  /** Signs `text` for one purpose; base64url. */
  sign(text: string, purpose: string): string;
  /** Whether `signature` is the signature of `text` for this purpose. Compares in constant time. */
  isSigned(text: string, signature: string, purpose: string): boolean;
  /** A signature of 32 characters from 0 to f, for where it must be short or its case may change. */
  signShort(text: string, purpose: string): string;
  isSignedShort(text: string, signature: string, purpose: string): boolean;
};

const VERSION = 'v1';

/** A sealed value that does not open. The message names its place and key, and nothing of its content. */
export class SealedError extends Error {
  override name = 'SealedError';
}

/** The secrets of a site: APP_SECRET, and the former one while a rotation runs. */
export const secretsOf = ({ appSecret, appSecretFormer }: Pick<Config, 'appSecret' | 'appSecretFormer'>) =>
  createSecrets(appSecret, appSecretFormer);

/** @param former a second secret that is accepted, for opening and verifying */
export function createSecrets(appSecret: Buffer, former: Buffer | null = null): Secrets {
  const accepted = former === null ? [appSecret] : [appSecret, former];
  const secretById = new Map(accepted.map((secret) => [idOf(secret), secret]));
  const keyId = idOf(appSecret);
  const seal = (text: string, context: string) => sealWith(appSecret, keyId, text, context);
  const open = (sealed: string, context: string) => openSealed(secretById, sealed, context);
  return {
    keyId,
    seal,
    open,
    reseal: (sealed, context) => {
      const text = open(sealed, context);
      return sealed.startsWith(`${VERSION}.${keyId}.`) ? null : seal(text, context);
    },
    sign: (text, purpose) => signWith(appSecret, text, purpose),
    isSigned: (text, signature, purpose) =>
      accepted.some((secret) => isSame(signWith(secret, text, purpose), signature)),
    signShort: (text, purpose) => shortOf(signWith(appSecret, text, purpose)),
    isSignedShort: (text, signature, purpose) =>
      accepted.some((secret) => isSame(shortOf(signWith(secret, text, purpose)), signature.toLowerCase())),
  };
}

function isSame(expected: string, given: string): boolean {
  const [left, right] = [Buffer.from(expected), Buffer.from(given)];
  return left.length === right.length && timingSafeEqual(left, right);
}

const SHORT_BYTES = 16;
const shortOf = (signature: string): string =>
  Buffer.from(signature, 'base64url').subarray(0, SHORT_BYTES).toString('hex');

const idOf = (secret: Buffer): string =>
  Buffer.from(hkdfSync('sha256', secret, '', 'earnest key id', 4)).toString('hex');

const keyOf = (secret: Buffer, salt: Buffer, context: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, `earnest secret ${context}`, 32));

function signWith(secret: Buffer, text: string, purpose: string): string {
  const key = Buffer.from(hkdfSync('sha256', secret, '', `earnest signature ${purpose}`, 32));
  return createHmac('sha256', key).update(text).digest('base64url');
}

function sealWith(secret: Buffer, keyId: string, text: string, context: string): string {
  const salt = randomBytes(16);
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret, salt, context), nonce);
  cipher.setAAD(Buffer.from(context));
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return [
    VERSION,
    keyId,
    salt.toString('base64url'),
    nonce.toString('base64url'),
    body.toString('base64url'),
  ].join('.');
}

function openSealed(secretById: ReadonlyMap<string, Buffer>, sealed: string, context: string): string {
  const [version, id, salt, nonce, body] = sealed.split('.');
  if (version !== VERSION || id === undefined || !salt || !nonce || !body)
    throw new SealedError(`Sealed value for ${context} is malformed`);
  const secret = secretById.get(id);
  if (secret === undefined)
    throw new SealedError(`Sealed value for ${context} was made with another APP_SECRET (key ${id})`);
  const bytes = Buffer.from(body, 'base64url');
  const decipher = createDecipheriv(
    'aes-256-gcm',
    keyOf(secret, Buffer.from(salt, 'base64url'), context),
    Buffer.from(nonce, 'base64url'),
  );
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(bytes.subarray(bytes.length - 16));
  return Buffer.concat([decipher.update(bytes.subarray(0, bytes.length - 16)), decipher.final()]).toString(
    'utf8',
  );
}

/** Whether two texts are equal. The time does not depend on where they differ. */
export function sameText(left: string, right: string): boolean {
  const key = randomBytes(32);
  const digest = (value: string) => createHmac('sha256', key).update(value).digest();
  return timingSafeEqual(digest(left), digest(right));
}

/** Replaces a stored secret in answers. Sending it back keeps the stored one. */
export const MASKED = '***encrypted***';
