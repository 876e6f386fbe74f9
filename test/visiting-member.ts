import assert from 'node:assert/strict';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { openPage } from './browser.ts';
import type { RunningSite } from './running-site.ts';

/** A new member with an own browser, signed in by requests, so that a test starts at its screen. */
export const VISITOR_PASSWORD = 'a quiet river 7';
const noFacts = {
  userAgent: '',
  screenResolution: '',
  timezone: '',
  language: '',
  platform: '',
  plugins: '',
  canvas: '',
  webgl: '',
};
let count = 0;

export async function visitingMember(
  site: Pick<RunningSite, 'origin'>,
  browser: Browser,
  options: BrowserContextOptions = {},
) {
  const opened = await openPage(browser, options);
  const { request } = opened.context;
  const headers = { origin: site.origin };
  count += 1;
  const phoneNumber = `+8210${55_000_000 + count}`;
  const email = `visitor${count}@example.com`;

  const post = async (path: string, data: unknown, status: number) => {
    const answer = await request.post(`${site.origin}${path}`, { headers, data });
    assert.equal(answer.status(), status, await answer.text());
    return answer;
  };
  const read = async (path: string) => (await request.get(`${site.origin}${path}`)).json();
  await post(
    '/api/auth/register',
    {
      email,
      password: VISITOR_PASSWORD,
      firstName: 'Mina',
      deviceFingerprint: Buffer.from(JSON.stringify(noFacts)).toString('base64'),
      hcaptchaToken: '10000000-aaaa-bbbb-cccc-000000000001',
    },
    201,
  );
  const { id } = await read('/api/user');

  /** Sends the postback of the sandbox's CPX Research when a survey is completed, or reverses the last one. */
  const atCpx = async (action: 'complete' | 'reverse', points?: number) => {
    const walls = (await read('/api/offerwalls')) as { id: string; url: string }[];
    const { origin } = new URL(walls.find((wall) => wall.id === 'cpx')?.url ?? '');
    const answer = await fetch(`${origin}/sandbox/wall/cpx/${action}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ userId: id, ...(points === undefined ? {} : { points }) }),
    });
    assert.equal(answer.status, 200);
  };
  return {
    ...opened,
    id: String(id),
    email,
    post,
    read,
    earn: (points: number) => atCpx('complete', points),
    takeBack: () => atCpx('reverse'),
    async verifyPhone() {
      await post('/api/auth/send-phone-verification', { phoneNumber }, 200);
      const outbox = (await read('/sandbox/outbox')) as { to: string; code: string }[];
      const code = outbox.findLast(({ to }) => to === phoneNumber)?.code;
      await post('/api/auth/verify-phone-code', { phoneNumber, code }, 200);
    },
  };
}
