import { z } from 'zod';
import type { Config } from '#platform/config.ts';
import { refuse } from '#platform/refusal.ts';

/** hCaptcha's answer. Only `success` is used. */
const answer = z.object({ success: z.boolean(), hostname: z.string().optional() });

const faults = z.object({ success: z.boolean(), 'error-codes': z.array(z.string()).default([]) });
/** What hCaptcha answers about an invented token if everything else is right. */
const TOKEN_FAULTS = ['invalid-input-response', 'missing-input-response', 'already-seen-response'];

/** Asks hCaptcha about an invented token. Returns what is wrong besides; undefined if nothing is. */
export async function findCaptchaFault({
  secret,
  sitekey,
  verifyUrl,
}: Config['hcaptcha']): Promise<string | undefined> {
  const reply = await fetch(verifyUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ secret, sitekey, response: 'an invented token' }).toString(),
    redirect: 'error',
    signal: AbortSignal.timeout(5_000),
  });
  const { success, 'error-codes': codes } = faults.parse(await reply.json());
  if (success) return 'HCAPTCHA_VERIFY_URL accepts an invented token.';
  const others = codes.filter((code) => !TOKEN_FAULTS.includes(code));
  return others.length === 0
    ? undefined
    : `hCaptcha refuses HCAPTCHA_SECRET with HCAPTCHA_SITEKEY: ${others.join(', ')}.`;
}

/**
 * Checks a token with hCaptcha. Without an answer from hCaptcha, the token is refused.
 * @throws Refusal `captcha-failed`
 */
export async function checkCaptcha(
  hcaptcha: Config['hcaptcha'],
  token: string,
  address: string,
): Promise<void> {
  const form = { secret: hcaptcha.secret, response: token, remoteip: address, sitekey: hcaptcha.sitekey };
  let verdict: z.infer<typeof answer>;
  try {
    const reply = await fetch(hcaptcha.verifyUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
      redirect: 'error',
      signal: AbortSignal.timeout(5_000),
    });
    verdict = answer.parse(await reply.json());
  } catch (error) {
    throw Object.assign(refuse('captcha-failed'), { cause: error });
  }
  if (!verdict.success) throw refuse('captcha-failed');
}
