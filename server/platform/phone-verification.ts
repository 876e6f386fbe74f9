import { z } from 'zod';
import type { Config } from './config.ts';

/**
 * Codes by text message through Twilio Verify v2, which makes and checks the code. Source: twilio-oai,
 * `twilio_verify_v2.json`. Who may try how often and for how long is decided by the members feature, before
 * this is asked.
 */
export type PhoneVerification = {
  /** Sends a code; returns the verification's id. */
  start(phoneNumber: string): Promise<string>;
  /** Whether `code` is the one that was sent under this id. */
  check(verificationId: string, code: string): Promise<boolean>;
  /** Ends a verification. Without this Twilio sends the same code again, and counts on, while one is pending. */
  cancel(verificationId: string): Promise<void>;
};

const started = z.object({ sid: z.string() });
const checked = z.object({ status: z.string() });
const failed = z.object({ code: z.number() });
/** Twilio's own code for a verification that was guessed at too often. */
const CHECKS_USED_UP = 60202;

export class PhoneServiceFailed extends Error {
  constructor(status: number) {
    super(`The text message service answered ${status}`);
    this.name = 'PhoneServiceFailed';
  }
}

export function createPhoneVerification(twilio: Config['twilio']): PhoneVerification {
  const service = `${twilio.baseUrl}/v2/Services/${encodeURIComponent(twilio.serviceSid)}`;
  const authorization = `Basic ${Buffer.from(`${twilio.accountSid}:${twilio.authToken}`).toString('base64')}`;
  const post = (path: string, form: Record<string, string>) =>
    fetch(`${service}/${path}`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
      redirect: 'error',
      signal: AbortSignal.timeout(10_000),
    });
  return {
    async start(phoneNumber) {
      const answer = await post('Verifications', { To: phoneNumber, Channel: 'sms' });
      if (!answer.ok) throw new PhoneServiceFailed(answer.status);
      return started.parse(await answer.json()).sid;
    },
    async check(verificationId, code) {
      const answer = await post('VerificationCheck', { VerificationSid: verificationId, Code: code });
      // Twilio forgets a verification that expired or was used up: then no code is right any more.
      if (answer.status === 404) return false;
      if (answer.status === 429 && failed.safeParse(await answer.json()).data?.code === CHECKS_USED_UP)
        return false;
      if (!answer.ok) throw new PhoneServiceFailed(answer.status);
      return checked.parse(await answer.json()).status === 'approved';
    },
    async cancel(verificationId) {
      const answer = await post(`Verifications/${encodeURIComponent(verificationId)}`, {
        Status: 'canceled',
      });
      // One that is over already is as good as canceled.
      if (!answer.ok && answer.status !== 404) throw new PhoneServiceFailed(answer.status);
    },
  };
}
