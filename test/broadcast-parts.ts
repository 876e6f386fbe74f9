import type { Database } from '#platform/database.ts';
import { createHealth } from '#platform/health.ts';
import { createMailer } from '#platform/mail.ts';
import { createSecrets } from '#platform/secrets.ts';
import { silentLog } from './site.ts';

/** What the sending of broadcasts needs, for a real mail server and without a pause between mails. */
export function sendingParts(database: Database, smtpUrl: string, leaseMs: number) {
  const log = silentLog();
  const config = {
    publicUrl: 'https://points.example',
    mode: 'live' as const,
    broadcastPerSecond: 5_000,
    mailFrom: 'no-reply@points.example',
    bounceAddress: null as string | null,
    imapUrl: null as string | null,
    smtpUrl,
  };
  return {
    database,
    log,
    config,
    leaseMs,
    health: createHealth(log),
    secrets: createSecrets(Buffer.alloc(32, 7)),
    sendMail: createMailer(config),
  };
}
