import assert from 'node:assert/strict';
import type { APIRequestContext, BrowserContext, BrowserContextOptions } from 'playwright-core';
import { openBrowser, openPage } from './browser.ts';
import { demoSite } from './running-site.ts';
import { signIn } from './sign-in.ts';
import type { Language } from './words.ts';

type Lifetime = { after: (callback: () => Promise<void>) => void };
type OperatorOptions = BrowserContextOptions & {
  /** Without it, the screens are in their first language, which is Korean. */
  language?: Language;
  /**
   * How long an approval waits. Within an hour no approved request becomes due: a sweep that pays many refuses an
   * operator's acts on them meanwhile.
   */
  payoutDelaySeconds?: number;
  /** The screen that is opened, below the panel's address. */
  path?: string;
};

/** Makes the screens of operators speak `language` until one is chosen on them. */
const speakFirst = (context: BrowserContext, language: Language) =>
  context.addInitScript((chosen) => {
    if (localStorage.getItem('operatorLanguage') === null) localStorage.setItem('operatorLanguage', chosen);
  }, language);

/** A site with the demo world, and a browser that is signed in as its operator. */
export async function operatorPage(
  lifetime: Lifetime,
  { language, payoutDelaySeconds, path, ...options }: OperatorOptions = {},
) {
  // In this order, because pages whose site has ended try to reach it again and again.
  const browser = await openBrowser(lifetime);
  const site = await demoSite(lifetime);
  const { page, context, complaints } = await openPage(browser, options);
  const headers = { origin: site.origin };
  const panel = `${site.origin}/management-panel-x7k9w`;
  await signIn(context, site, site.operator);
  if (language !== undefined) await speakFirst(context, language);
  if (payoutDelaySeconds !== undefined) {
    const change = { headers, data: { payoutDelaySeconds } };
    assert.equal((await context.request.put(`${site.origin}/api/admin/site`, change)).status(), 200);
  }
  if (path !== undefined) await page.goto(panel + path);

  /** Opens a window that shares nothing with the first one but the operator's session. */
  const openOperator = async (language: Language, options: BrowserContextOptions = {}) => {
    const storageState = { cookies: await context.cookies(), origins: [] };
    const opened = await openPage(browser, { ...options, storageState });
    await speakFirst(opened.context, language);
    return opened;
  };
  const read = async (path: string) => (await context.request.get(`${site.origin}/api/admin/${path}`)).json();

  let member: Promise<APIRequestContext> | undefined;
  const signInMember = async () => {
    const { request } = await browser.newContext();
    await signIn({ request }, site, site.member);
    return request;
  };
  /** Makes calls as the demo member. */
  const asMember = () => {
    member ??= signInMember();
    return member;
  };
  /** Makes a request for a withdrawal as the demo member. Returns its id. */
  const requestWithdrawal = async (amountPoints: string): Promise<string> => {
    const recipientInfo = { address: 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9' };
    const data = { amountPoints, method: 'litecoin', recipientInfo };
    const asked = await (await asMember()).post(`${site.origin}/api/withdrawal`, { headers, data });
    assert.equal(asked.status(), 201);
    return ((await asked.json()) as { id: string }).id;
  };

  const opened = { browser, page, context, complaints, openOperator };
  return { site, panel, headers, ...opened, read, asMember, requestWithdrawal };
}
