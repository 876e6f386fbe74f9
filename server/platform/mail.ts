import { createTransport } from 'nodemailer';
import type { Config } from './config.ts';

/**
 * A plain-text mail to one person. Values that people chose stand in the text only, never in a header but the
 * subject.
 */
export type Mail = { to: string; subject: string; text: string };

export type SendMail = (mail: Mail) => Promise<void>;

/** Sends by SMTP; a failure is thrown, so that the job that sends tries again. */
export function createMailer(config: Pick<Config, 'smtpUrl' | 'mailFrom'>): SendMail {
  if (config.smtpUrl === null) throw new Error('SMTP_URL is not set');
  const transport = createTransport(config.smtpUrl, {
    from: config.mailFrom,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  } as Parameters<typeof createTransport>[1]);
  return async ({ to, subject, text }) => {
    await transport.sendMail({
      to: { name: '', address: to },
      subject: subject.replaceAll(/[\r\n]+/g, ' '),
      text,
    });
  };
}
