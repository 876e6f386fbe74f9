import type { FastifyInstance } from 'fastify';

/**
 * Simulates what the site asks PayPal and NOWPayments before it pays: signing in, and the balance. The credentials are
 * fixed, so that a tester also sees a refusal. In a sandbox nothing is asked of the companies themselves.
 */
export const sandboxCompanies = {
  paypal: { clientId: 'sandbox-client', clientSecret: 'sandbox-secret' },
  nowpayments: { apiKey: 'sandbox-key', email: 'pay@earnest.example', password: 'sandbox-password' },
} as const;

export const COMPANIES_PATH = '/sandbox/companies';
const TOKEN = 'sandbox-token';

export function mountCompanies(listener: FastifyInstance): void {
  const { paypal, nowpayments } = sandboxCompanies;
  const basic = `Basic ${Buffer.from(`${paypal.clientId}:${paypal.clientSecret}`).toString('base64')}`;
  listener.post(`${COMPANIES_PATH}/paypal/v1/oauth2/token`, async ({ headers, body }, reply) => {
    if (headers.authorization !== basic || body !== 'grant_type=client_credentials')
      return reply.code(401).send({ error: 'invalid_client' });
    const scope = 'https://uri.paypal.com/payments/payouts';
    return { access_token: TOKEN, token_type: 'Bearer', expires_in: 32_400, scope };
  });
  listener.get(`${COMPANIES_PATH}/paypal/v1/reporting/balances`, async ({ headers }, reply) => {
    if (headers.authorization !== `Bearer ${TOKEN}`) return reply.code(401).send({ error: 'invalid_token' });
    const amount = { currency_code: 'USD', value: '640.00' };
    return {
      balances: [{ currency: 'USD', primary: true, total_balance: amount, available_balance: amount }],
    };
  });
  listener.get(`${COMPANIES_PATH}/nowpayments/v1/balance`, async ({ headers }, reply) => {
    if (headers['x-api-key'] !== nowpayments.apiKey) return reply.code(403).send({ code: 'INVALID_API_KEY' });
    return { ltc: { amount: 3.25, pendingAmount: 0 } };
  });
  listener.post(`${COMPANIES_PATH}/nowpayments/v1/auth`, async ({ body }, reply) => {
    const given = (body ?? {}) as { email?: unknown; password?: unknown };
    if (given.email !== nowpayments.email || given.password !== nowpayments.password)
      return reply.code(403).send({ code: 'AUTH_REQUIRED' });
    return { token: TOKEN };
  });
}
