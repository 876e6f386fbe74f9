import { randomBytes, randomInt } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '#platform/config.ts';
import { type Database, sql } from '#platform/database.ts';
import { sameText } from '#platform/secrets.ts';
import { addToOutbox } from './outbox.ts';

/**
 * Simulates Twilio Verify v2: makes the code, stores the message in the outbox and checks the code. A verification
 * allows five sends and five checks within ten minutes. A second start for the same number sends the same code under
 * the same id. A verification that is approved, canceled or expired answers 404, as at Twilio.
 */
const LIFETIME_MINUTES = 10;
const SENDS_MAX = 5;
const CHECKS_MAX = 5;

type Twilio = Config['twilio'];
type Verification = { sid: string; phoneNumber: string; code: string; status: string; sends: number };
type Params = { Params: { service: string; sid?: string } };

const columns = sql`sid, phone_number as "phoneNumber", code, status, sends`;

/** A refusal with Twilio's error code beside the HTTP status. */
class TwilioRefusal extends Error {
  readonly status: number;
  readonly code: number;
  constructor(status: number, code: number, message: string) {
    super(message);
    this.name = 'TwilioRefusal';
    this.status = status;
    this.code = code;
  }
}

const notFound = () => new TwilioRefusal(404, 20404, 'The requested resource was not found');

export function mountTextMessages(
  listener: FastifyInstance,
  { database, twilio }: { database: Database; twilio: Omit<Twilio, 'baseUrl'> },
): void {
  type Act = (form: URLSearchParams, sid: string) => Promise<Verification>;
  const route = (path: string, status: number, act: Act) =>
    listener.post<Params>(`/sandbox/twilio/v2/Services/:service/${path}`, async (request, reply) => {
      try {
        requireAccount(request, twilio);
        const form = new URLSearchParams((request.body as string | undefined) ?? '');
        const verification = await act(form, request.params.sid ?? '');
        return reply.code(status).send(answerOf(verification, twilio));
      } catch (error) {
        return sendRefusal(reply, error);
      }
    });

  route('Verifications', 201, (form) => start(database, form));
  route('VerificationCheck', 200, (form) => check(database, form));
  route('Verifications/:sid', 200, (form, sid) => settle(database, form, sid));
}

function requireAccount(request: FastifyRequest<Params>, twilio: Omit<Twilio, 'baseUrl'>): void {
  const expected = Buffer.from(`${twilio.accountSid}:${twilio.authToken}`).toString('base64');
  if (!sameText(request.headers.authorization ?? '', `Basic ${expected}`))
    throw new TwilioRefusal(401, 20003, 'Authenticate');
  if (request.params.service !== twilio.serviceSid) throw notFound();
}

async function start(database: Database, form: URLSearchParams): Promise<Verification> {
  const to = form.get('To') ?? '';
  if (!/^\+[1-9]\d{7,14}$/.test(to)) throw new TwilioRefusal(400, 60200, 'Invalid parameter `To`');
  if (form.get('Channel') !== 'sms') throw new TwilioRefusal(400, 60200, 'Invalid parameter `Channel`');
  const verification = await begin(database, to);
  if (verification.sends > SENDS_MAX) throw new TwilioRefusal(429, 60203, 'Max send attempts reached');
  const text = `Your Earnest verification code is: ${verification.code}`;
  await addToOutbox(database, { kind: 'sms', to, subject: null, text, code: verification.code });
  return verification;
}

const isAlive = sql`status = 'pending'
  and created_at > platform.business_now() - make_interval(mins => ${LIFETIME_MINUTES})`;

/** Counts a send of the number's pending verification, or makes a new one. */
async function begin(database: Database, to: string): Promise<Verification> {
  const sid = `VE${randomBytes(16).toString('hex')}`;
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  // Delete finished verifications, which are never read again.
  await database.rows(sql`delete from sandbox.verifications where phone_number = ${to} and not (${isAlive})`);
  return database.one<Verification>(sql`
    insert into sandbox.verifications as pending (sid, phone_number, code) values (${sid}, ${to}, ${code})
    on conflict (phone_number) where status = 'pending' do update set sends = pending.sends + 1
    returning ${columns}`);
}

/** Counts the check and compares the code in one statement, so that parallel guesses count separately. */
async function check(database: Database, form: URLSearchParams): Promise<Verification> {
  const [sid, to, code] = [form.get('VerificationSid') ?? '', form.get('To') ?? '', form.get('Code') ?? ''];
  if (!/^\S{4,10}$/.test(code)) throw new TwilioRefusal(400, 60200, 'Invalid parameter: Code');
  const checked = await database.row<Verification & { checks: number }>(sql`
    update sandbox.verifications set checks = checks + 1,
      status = case when checks < ${CHECKS_MAX} and code = ${code} then 'approved' else status end
    where (sid = ${sid} or phone_number = ${to}) and ${isAlive} returning ${columns}, checks`);
  if (checked === undefined) throw notFound();
  if (checked.checks > CHECKS_MAX) throw new TwilioRefusal(429, 60202, 'Max check attempts reached');
  return checked;
}

async function settle(database: Database, form: URLSearchParams, sid: string): Promise<Verification> {
  const status = form.get('Status') ?? '';
  if (status !== 'canceled' && status !== 'approved')
    throw new TwilioRefusal(400, 60200, 'Invalid parameter: Status');
  const settled = await database.row<Verification>(sql`
    update sandbox.verifications set status = ${status} where sid = ${sid} and ${isAlive} returning ${columns}`);
  if (settled === undefined) throw notFound();
  return settled;
}

const answerOf = (verification: Verification, twilio: Omit<Twilio, 'baseUrl'>) => ({
  sid: verification.sid,
  service_sid: twilio.serviceSid,
  account_sid: twilio.accountSid,
  to: verification.phoneNumber,
  channel: 'sms',
  status: verification.status,
  valid: verification.status === 'approved',
});

function sendRefusal(reply: FastifyReply, error: unknown): FastifyReply {
  if (!(error instanceof TwilioRefusal)) throw error;
  const { status, code, message } = error;
  const more_info = `https://www.twilio.com/docs/errors/${code}`;
  return reply.code(status).send({ code, message, more_info, status });
}
