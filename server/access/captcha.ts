import { z } from 'zod';
import { sentence } from '#contract/operator-sentences.ts';
import type { Config } from '#platform/config.ts';
import { type Health, troubleOf } from '#platform/health.ts';
import { Refusal, refuse } from '#platform/refusal.ts';

const answer = z.object({ success: z.boolean(), 'error-codes': z.array(z.string()).default([]) });
/** What hCaptcha answers about a bad token if everything else is right. */
const TOKEN_FAULTS = [
  'invalid-input-response',
  'missing-input-response',
  'expired-input-response',
  'already-seen-response',
  'invalid-or-already-seen-response',
];

const RETRY_AFTER_S = 10;

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
  const { success, 'error-codes': codes } = answer.parse(await reply.json());
  if (success) return 'HCAPTCHA_VERIFY_URL accepts an invented token.';
  const others = codes.filter((code) => !TOKEN_FAULTS.includes(code));
  return others.length === 0
    ? undefined
    : `hCaptcha refuses HCAPTCHA_SECRET with HCAPTCHA_SITEKEY: ${others.join(', ')}.`;
}

/** Everything but the person's token: the site's own keys, or hCaptcha itself. */
class CaptchaTrouble extends Error {}

/**
 * Checks a token with hCaptcha. Only a fault of the token is the person's. Every other one is reported as the part
 * `captcha`, which is well again with the next token that hCaptcha judged.
 * @throws Refusal `captcha-failed`; `overloaded` if tokens can't be checked now
 */
export async function checkCaptcha(
  { config, health }: { config: Pick<Config, 'hcaptcha'>; health: Pick<Health, 'report'> },
  token: string,
  address: string,
): Promise<void> {
  let isGood: boolean;
  try {
    isGood = await askAbout(config.hcaptcha, token, address);
  } catch (error) {
    const own = error instanceof CaptchaTrouble;
    const trouble = own ? error.message : `${sentence('captcha-silent')} ${troubleOf(error)}`;
    health.report('captcha', trouble);
    const detail = 'The captcha can’t be checked right now. Try again in a moment.';
    throw Object.assign(new Refusal('overloaded', detail, {}, RETRY_AFTER_S), { cause: error });
  }
  health.report('captcha', undefined);
  if (!isGood) throw refuse('captcha-failed');
}

/** Returns whether hCaptcha accepts the token. @throws CaptchaTrouble, or an error of the call */
async function askAbout(
  { secret, sitekey, verifyUrl }: Config['hcaptcha'],
  token: string,
  address: string,
): Promise<boolean> {
  const form = { secret, response: token, remoteip: address, sitekey };
  const reply = await fetch(verifyUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
    redirect: 'error',
    signal: AbortSignal.timeout(5_000),
  });
  const { success, 'error-codes': codes } = answer.parse(await reply.json());
  const others = codes.filter((code) => !TOKEN_FAULTS.includes(code));
  if (!success && others.length > 0)
    throw new CaptchaTrouble(`${sentence('captcha-refuses-site')} ${others.join(', ').slice(0, 200)}`);
  return success;
}
