import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/**
 * Secrets at rest and signed values. Everything derives from APP_SECRET: a key of its own for each stored
 * secret (by a random salt and the name of the place it is stored in), so a ciphertext copied to another place
 * does not open.
 */
export type Secrets = {
  /** Encrypts `text` for the place named by `context` (table, row and column). */
  seal(text: string, context: string): string;
  /** Decrypts what `seal` made for the same place. A changed or moved ciphertext is a fault. */
  open(sealed: string, context: string): string;
  /** A signature of `text` for one purpose, base64url. */
  sign(text: string, purpose: string): string;
  /** Whether `signature` is that of `text`; compared in constant time. */
  isSigned(text: string, signature: string, purpose: string): boolean;
};

const VERSION = 'v1';

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
        throw new Error(`Sealed value for ${context} is malformed`);
      if (id !== keyId)
        throw new Error(`Sealed value for ${context} was made with another APP_SECRET (key ${id})`);
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

/** Whether two texts are equal, in a time that says nothing about where they differ. */
export function sameText(left: string, right: string): boolean {
  const key = randomBytes(32);
  const digest = (value: string) => createHmac('sha256', key).update(value).digest();
  return timingSafeEqual(digest(left), digest(right));
}

/** How a stored secret reads from outside; sending it back keeps what is stored. */
export const MASKED = '***encrypted***';
