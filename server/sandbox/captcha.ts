import type { FastifyInstance } from 'fastify';
import { captchaTestPair } from '#platform/config-values.ts';

/**
 * Simulates hCaptcha's siteverify for the published test pair. The test token passes any number of times, as at
 * hCaptcha. Everything else is refused with hCaptcha's error codes.
 */
const TEST_TOKEN = '10000000-aaaa-bbbb-cccc-000000000001';

export const CAPTCHA_PATH = '/sandbox/hcaptcha/siteverify';

export function mountCaptcha(listener: FastifyInstance): void {
  listener.post(CAPTCHA_PATH, async (request) => {
    const form = new URLSearchParams((request.body as string | undefined) ?? '');
    const error = faultOf(form);
    if (error !== null) return { success: false, 'error-codes': [error] };
    return { success: true, challenge_ts: new Date().toISOString(), hostname: 'localhost', credit: false };
  });
}

function faultOf(form: URLSearchParams): string | null {
  const [secret, token, sitekey] = [form.get('secret'), form.get('response'), form.get('sitekey')];
  if (!secret) return 'missing-input-secret';
  if (secret !== captchaTestPair.secret) return 'invalid-input-secret';
  if (!token) return 'missing-input-response';
  if (sitekey !== null && sitekey !== captchaTestPair.sitekey) return 'sitekey-secret-mismatch';
  return token === TEST_TOKEN ? null : 'invalid-input-response';
}
