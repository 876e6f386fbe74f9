import { z } from 'zod';
import type { Config } from '#platform/config.ts';
import { refuse } from '#platform/refusal.ts';

/** hCaptcha's answer. Only `success` is used. */
const answer = z.object({ success: z.boolean(), hostname: z.string().optional() });

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
