import { generateKeyPairSync, sign } from 'node:crypto';
import { isIP } from 'node:net';

/**
 * A certificate for a host that it signed itself (RFC 5280), so nobody trusts it who was not told to. It holds
 * until 2049, or was valid in 2020 alone.
 */
export function testCertificate({ host = '127.0.0.1', isExpired = false } = {}): {
  key: string;
  cert: string;
} {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = sequence(tagged(0x31, sequence(COMMON_NAME, tagged(0x0c, Buffer.from(host)))));
  const validity = ['200101000000Z', isExpired ? '201231000000Z' : '491231000000Z'];
  const names = sequence(
    isIP(host) ? tagged(0x87, Buffer.from(host.split('.').map(Number))) : tagged(0x82, Buffer.from(host)),
  );
  const content = sequence(
    tagged(0xa0, tagged(0x02, Buffer.from([2]))),
    tagged(0x02, Buffer.from([1])),
    ECDSA_WITH_SHA256,
    issuer,
    sequence(...validity.map((time) => tagged(0x17, Buffer.from(time)))),
    issuer,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(sequence(SUBJECT_ALTERNATIVE_NAME, tagged(0x04, names)))),
  );
  const signature = tagged(0x03, Buffer.from([0]), sign('sha256', content, privateKey));
  const der = sequence(content, ECDSA_WITH_SHA256, signature);
  const lines = der.toString('base64').replaceAll(/.{64}/g, '$&\n');
  return {
    key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}

/** A value of DER: its tag, its length, its content. */
function tagged(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const lengthBytes = length < 128 ? [length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...lengthBytes]), content]);
}
const sequence = (...parts: Buffer[]): Buffer => tagged(0x30, ...parts);

const COMMON_NAME = Buffer.from('0603550403', 'hex');
const SUBJECT_ALTERNATIVE_NAME = Buffer.from('0603551d11', 'hex');
const ECDSA_WITH_SHA256 = Buffer.from('300a06082a8648ce3d040302', 'hex');
