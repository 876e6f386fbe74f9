import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { BrowserContext } from 'playwright-core';

/** Calls of CPX Research to a site, and its secret there. `context` is signed in as an operator. */
export const cpxCalls = (origin: string, context: BrowserContext) => ({
  /** Stores the secret with which the site checks the calls. */
  give: async (secret: string): Promise<void> => {
    const answer = await context.request.put(`${origin}/api/admin/providers/cpx`, {
      data: { isEnabled: true, apiKey: 'app', secret },
      headers: { origin },
    });
    assert.equal(answer.status(), 200);
  },
  /** Sends a credit of 180 P. Returns its status. */
  send: async (transaction: string, member: string, secret: string): Promise<number> => {
    const hash = createHash('md5').update(`${transaction}-${secret}`).digest('hex');
    const query = `status=1&trans_id=${transaction}&user_id=${member}&amount_local=180&secure_hash=${hash}`;
    return (await fetch(`${origin}/api/webhooks/postback/cpx?${query}`)).status;
  },
});
