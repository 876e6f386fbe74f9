import type { Page } from 'playwright-core';

/**
 * The captcha's widget of live mode on a page of the sandbox: the page is told that the site is live, and gets a script
 * in the place of hCaptcha's. It needs a context that does not apply the policy of documents, which the sandbox makes
 * without hCaptcha.
 */

/** The one token that the sandbox's server takes. */
export const GOOD_TOKEN = '10000000-aaaa-bbbb-cccc-000000000001';

export const SITEKEY = '7b3c1f0e-5a0d-4f0b-9f0e-2f6f3a1c9d11';

/** The widget as documented: it calls the functions that the site passes to `render`. */
const widget = `
  let token = '';
  window.hcaptcha = {
    render(container, options) {
      window.widgets = (window.widgets ?? 0) + 1;
      window.captcha = {
        sitekey: options.sitekey,
        pass: (given) => { token = given; options.callback(token); },
        expire: () => { token = ''; options['expired-callback'](); },
        fail: () => { token = ''; options['error-callback']('network-error'); },
        expireChallenge: () => { token = ''; options['chalexpired-callback'](); },
      };
      return 'widget-' + window.widgets;
    },
    reset() { token = ''; }, getResponse: () => token, getRespKey: () => '',
    remove() {}, execute() {}, setData() {},
  };
  const asked = new URL(document.currentScript.src).searchParams.get('onload');
  if (asked !== null) window[asked]?.();
`;

export async function routeCaptcha(page: Page, origin: string): Promise<void> {
  await page.route(`${origin}/api/config`, async (route) => {
    const response = await route.fetch();
    const config = await response.json();
    await route.fulfill({ response, json: { ...config, mode: 'live', hcaptchaSitekey: SITEKEY } });
  });
  await page.route('https://js.hcaptcha.com/**', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: widget }),
  );
}

type Captcha = Record<'pass' | 'expire' | 'fail' | 'expireChallenge', (token: string) => void>;

export const happens = (page: Page, what: keyof Captcha, token = GOOD_TOKEN): Promise<void> =>
  page.evaluate(([name, given]) => (window as unknown as { captcha: Captcha }).captcha[name](given), [
    what,
    token,
  ] as const);

export const sitekeyOf = (page: Page): Promise<string> =>
  page.evaluate(() => (window as unknown as { captcha: { sitekey: string } }).captcha.sitekey);

export const widgets = (page: Page): Promise<number> =>
  page.evaluate(() => (window as unknown as { widgets: number | undefined }).widgets ?? 0);
