import { z } from 'zod';
import { sentence } from '#contract/operator-sentences.ts';
import type { Config } from './config.ts';
import { type Health, troubleOf } from './health.ts';
import { Refusal, refuse } from './refusal.ts';

/**
 * Verification codes by text message through Twilio Verify v2, which makes, sends and checks the code. Source:
 * twilio-oai, `twilio_verify_v2.json`. `access/phone.ts` applies the limits before it calls these functions. An
 * unexpected answer counts as an outage of the service: it is refused as `overloaded`, with the error as its cause, and
 * reported as the part `sms` until the service answers again.
 */
export type PhoneVerification = {
  /**
   * Sends a code; returns the verification's id.
   * @throws Refusal `invalid-request` if the number can't receive messages, `rate-limited` if it received too many
   */
  start(phoneNumber: string): Promise<string>;
  /** Whether `code` is the code of this verification. */
  check(verificationId: string, code: string): Promise<boolean>;
  /** Ends a verification. While one is pending, Twilio sends the same code again and keeps counting checks. */
  cancel(verificationId: string): Promise<void>;
};

const started = z.object({ sid: z.string() });
const checked = z.object({ status: z.string() });
const failed = z.object({ code: z.number() });
/** Twilio's error code for too many wrong codes. */
const CHECKS_USED_UP = 60202;

const RETRY_AFTER_S = 10;
/** For the whole call, with the reading of the answer. */
const TIMEOUT_MS = 5_000;

/** Turns an error of a call into the refusal `overloaded`; keeps a refusal. */
function outageOf(cause: unknown): Refusal {
  if (cause instanceof Refusal) return cause;
  const detail = 'Text messages can’t be sent right now. Try again in a moment.';
  return Object.assign(new Refusal('overloaded', detail, {}, RETRY_AFTER_S), { cause });
}

const unexpected = ({ status }: Response): Error => new Error(`The text message service answered ${status}`);

/** Asks for the service without sending. Returns what is wrong; undefined if codes can be sent. */
export async function findPhoneFault(twilio: Config['twilio']): Promise<string | undefined> {
  const answer = await fetch(`${twilio.baseUrl}/v2/Services/${encodeURIComponent(twilio.serviceSid)}`, {
    headers: { authorization: authorizationOf(twilio) },
    redirect: 'error',
    signal: AbortSignal.timeout(5_000),
  });
  if (answer.status === 401) return 'Twilio refuses TWILIO_ACCOUNT_SID with TWILIO_AUTH_TOKEN.';
  if (answer.status === 404) return 'Twilio has no service TWILIO_VERIFY_SERVICE_SID in this account.';
  return answer.ok ? undefined : `Twilio answered ${answer.status}.`;
}

const authorizationOf = ({ accountSid, authToken }: Config['twilio']): string =>
  `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;

export function createPhoneVerification(
  twilio: Config['twilio'],
  health: Pick<Health, 'report'>,
): PhoneVerification {
  const service = `${twilio.baseUrl}/v2/Services/${encodeURIComponent(twilio.serviceSid)}`;
  const authorization = authorizationOf(twilio);
  const post = (path: string, form: Record<string, string>) =>
    fetch(`${service}/${path}`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  /** Reads an answer. Any failure to get or read it becomes an outage. */
  const readAnswer = async <T>(
    answer: Promise<Response>,
    read: (answer: Response) => Promise<T>,
  ): Promise<T> => {
    try {
      const value = await read(await answer);
      health.report('sms', undefined);
      return value;
    } catch (error) {
      if (error instanceof Refusal) health.report('sms', undefined);
      else health.report('sms', `${sentence('text-messages-fail')} ${troubleOf(error)}`);
      throw outageOf(error);
    }
  };
  return {
    start: (phoneNumber) =>
      readAnswer(post('Verifications', { To: phoneNumber, Channel: 'sms' }), async (answer) => {
        if (answer.status === 400)
          throw refuse('invalid-request', 'This number can’t receive text messages.');
        if (answer.status === 429) throw new Refusal('rate-limited', undefined, {}, 600);
        if (!answer.ok) throw unexpected(answer);
        return started.parse(await answer.json()).sid;
      }),
    check: (verificationId, code) =>
      readAnswer(
        post('VerificationCheck', { VerificationSid: verificationId, Code: code }),
        async (answer): Promise<boolean> => {
          // Twilio answers 404 after a verification expired or was used, so no code is valid.
          if (answer.status === 404) return false;
          if (answer.status === 429 && failed.safeParse(await answer.json()).data?.code === CHECKS_USED_UP)
            return false;
          if (!answer.ok) throw unexpected(answer);
          return checked.parse(await answer.json()).status === 'approved';
        },
      ),
    cancel: (verificationId) =>
      readAnswer(
        post(`Verifications/${encodeURIComponent(verificationId)}`, { Status: 'canceled' }),
        async (answer): Promise<void> => {
          // 404: the verification is already over.
          if (!answer.ok && answer.status !== 404) throw unexpected(answer);
        },
      ),
  };
}
