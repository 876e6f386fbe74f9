import { z } from 'zod';
import type { Config } from './config.ts';
import { Refusal, refuse } from './refusal.ts';

/**
 * Codes by text message through Twilio Verify v2, which makes and checks the code. Source: twilio-oai,
 * `twilio_verify_v2.json`. Who may try how often and for how long is decided by the members feature, before
 * this is asked. What the service does not answer as it should is its outage: refused as `overloaded`, with what
 * happened as the cause.
 */
export type PhoneVerification = {
  /**
   * Sends a code; returns the verification's id.
   * @throws Refusal `invalid-request` for a number that can't be sent to, `rate-limited` for one that had too many
   */
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

const RETRY_AFTER_S = 10;

/** The outage of the service behind any error of a call to it. */
function outageOf(cause: unknown): Refusal {
  if (cause instanceof Refusal) return cause;
  const detail = 'Text messages can’t be sent right now. Try again in a moment.';
  return Object.assign(new Refusal('overloaded', detail, {}, RETRY_AFTER_S), { cause });
}

/** Takes an answer for what it should be; every other becomes an outage. */
async function asked<T>(answer: Promise<Response>, read: (answer: Response) => Promise<T>): Promise<T> {
  try {
    return await read(await answer);
  } catch (error) {
    throw outageOf(error);
  }
}

const unexpected = ({ status }: Response): Error => new Error(`The text message service answered ${status}`);

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
    start: (phoneNumber) =>
      asked(post('Verifications', { To: phoneNumber, Channel: 'sms' }), async (answer) => {
        if (answer.status === 400)
          throw refuse('invalid-request', 'This number can’t receive text messages.');
        if (answer.status === 429) throw new Refusal('rate-limited', undefined, {}, 600);
        if (!answer.ok) throw unexpected(answer);
        return started.parse(await answer.json()).sid;
      }),
    check: (verificationId, code) =>
      asked(
        post('VerificationCheck', { VerificationSid: verificationId, Code: code }),
        async (answer): Promise<boolean> => {
          // Twilio forgets a verification that expired or was used up: then no code is right any more.
          if (answer.status === 404) return false;
          if (answer.status === 429 && failed.safeParse(await answer.json()).data?.code === CHECKS_USED_UP)
            return false;
          if (!answer.ok) throw unexpected(answer);
          return checked.parse(await answer.json()).status === 'approved';
        },
      ),
    cancel: (verificationId) =>
      asked(
        post(`Verifications/${encodeURIComponent(verificationId)}`, { Status: 'canceled' }),
        async (answer): Promise<void> => {
          // One that is over already is as good as canceled.
          if (!answer.ok && answer.status !== 404) throw unexpected(answer);
        },
      ),
  };
}
