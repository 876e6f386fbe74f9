import { startJobs } from '#platform/jobs.ts';
import { createMailer } from '#platform/mail.ts';
import { accessJobs } from '../server/access/jobs.ts';
import { startNotices } from '../server/notices/jobs.ts';
import type { Site } from './site.ts';

/**
 * The worker and the notices of a site under test, which send mail by SMTP into the sandbox's outbox, and functions
 * that read the outbox.
 */
export type OutboxMail = { kind: string; to: string; subject: string; text: string };

export async function startMailing(
  site: Site,
  lifetime: { after: (callback: () => Promise<void>) => void },
): Promise<void> {
  const sendMail = createMailer(site.config);
  const jobs = await startJobs(site.urls.workerUrl, accessJobs(site.platform, sendMail), site.platform);
  const readNames = async () => ({
    providers: new Map(),
    methods: new Map(),
    koreanMethods: new Map(),
    currencies: new Map(),
  });
  const notices = startNotices({ ...site.platform, sendMail, readNames });
  lifetime.after(async () => {
    await notices.close();
    await jobs.close();
  });
}

const isAboutLogin = ({ subject }: OutboxMail) => subject.startsWith('A new login');

/** The mails to an address, oldest first, without those about logins, which have a test of their own. */
export const mailsTo = async (site: Site, to: string): Promise<OutboxMail[]> =>
  (await site.call('GET', '/sandbox/outbox')).body.filter(
    (mail: OutboxMail) => mail.to === to && !isAboutLogin(mail),
  );

/** Waits until an address has received `count` mails, and returns them, oldest first. */
export async function untilMails(site: Site, to: string, count: number): Promise<OutboxMail[]> {
  for (let tries = 0; tries < 600; tries += 1) {
    const mails = await mailsTo(site, to);
    if (mails.length >= count) return mails;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`Only ${(await mailsTo(site, to)).length} of ${count} mails came to ${to}`);
}

/** The token in a mail's link. */
export const tokenIn = (mail: OutboxMail | undefined): string =>
  /[?&]token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? '';
