import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/**
 * Encrypts stored secrets and signs values. All keys derive from APP_SECRET. Each stored secret has its own key, from a
 * random salt and the name of its place (table, row and column), so a ciphertext moved to another place does not open.
 */
export type Secrets = {
  /** Encrypts `text` for the place named by `context` (table, row and column). */
  seal(text: string, context: string): string;
  /** Decrypts text that `seal` made for the same place. Throws if it was changed or moved. */
  open(sealed: string, context: string): string;
  /** Signs `text` for one purpose; base64url. */
  sign(text: string, purpose: string): string;
  /** Whether `signature` is the signature of `text` for this purpose. Compares in constant time. */
  isSigned(text: string, signature: string, purpose: string): boolean;
};

const VERSION = 'v1';

/** A sealed value that does not open. The message names its place and key, and nothing of its content. */
export class SealedError extends Error {
  override name = 'SealedError';
}

export function createSecrets(appSecret: Buffer): Secrets {
  const keyId = Buffer.from(hkdfSync('sha256', appSecret, '', 'earnest key id', 4)).toString('hex');
  const keyFor = (salt: Buffer, context: string) =>
    Buffer.from(hkdfSync('sha256', appSecret, salt, `earnest secret ${context}`, 32));
  const sign = (text: string, purpose: string) => {
    const key = Buffer.from(hkdfSync('sha256', appSecret, '', `earnest signature ${purpose}`, 32));
    return createHmac('sha256', key).update(text).digest('base64url');
  };

  return {
    seal(text, context) {
      const salt = randomBytes(16);
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', keyFor(salt, context), nonce);
      cipher.setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return [
        VERSION,
        keyId,
        salt.toString('base64url'),
        nonce.toString('base64url'),
        body.toString('base64url'),
      ].join('.');
    },
    open(sealed, context) {
      const [version, id, salt, nonce, body] = sealed.split('.');
      if (version !== VERSION || id === undefined || !salt || !nonce || !body)
        throw new SealedError(`Sealed value for ${context} is malformed`);
      if (id !== keyId)
        throw new SealedError(`Sealed value for ${context} was made with another APP_SECRET (key ${id})`);
      const bytes = Buffer.from(body, 'base64url');
      const decipher = createDecipheriv(
        'aes-256-gcm',
        keyFor(Buffer.from(salt, 'base64url'), context),
        Buffer.from(nonce, 'base64url'),
      );
      decipher.setAAD(Buffer.from(context));
      decipher.setAuthTag(bytes.subarray(bytes.length - 16));
      return Buffer.concat([
        decipher.update(bytes.subarray(0, bytes.length - 16)),
        decipher.final(),
      ]).toString('utf8');
    },
    sign,
    isSigned(text, signature, purpose) {
      const expected = Buffer.from(sign(text, purpose));
      const given = Buffer.from(signature);
      return expected.length === given.length && timingSafeEqual(expected, given);
    },
  };
}

/** Whether two texts are equal. The time does not depend on where they differ. */
export function sameText(left: string, right: string): boolean {
  const key = randomBytes(32);
  const digest = (value: string) => createHmac('sha256', key).update(value).digest();
  return timingSafeEqual(digest(left), digest(right));
}

/** Replaces a stored secret in answers. Sending it back keeps the stored one. */
export const MASKED = '***encrypted***';
