import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import type { Config } from '#platform/config.ts';
import { captchaTestPair } from '#platform/config-values.ts';
import type { Database } from '#platform/database.ts';
import { ownOrigins } from '#platform/http/same-origin.ts';
import { withoutSchemas } from '#platform/http/server.ts';
import { whenListening } from '#platform/listening.ts';
import type { Log } from '#platform/log.ts';
import { readOrMakeSecret } from '#platform/secret-files.ts';
import { CAPTCHA_PATH, mountCaptcha } from './captcha.ts';
import { COMPANIES_PATH, mountCompanies } from './companies.ts';
import { sourcePrices } from './rate-source.ts';
import { mountTextMessages } from './text-messages.ts';
import type { WallSite } from './wall-calls.ts';
import { mountWalls } from './walls.ts';

/**
 * The sandbox's HTTP listener, on an origin of its own. It serves all simulated services that the site calls, and the
 * walls that call the site.
 */
export type SimulatedServices = {
  port: number;
  /** The listener's origin as seen from this machine. */
  origin: string;
  twilio: Config['twilio'];
  close: () => Promise<void>;
};

const RATE_PATH = '/sandbox/rate-source';
const BODY_BYTES_MAX = 64 * 1024;

/** @throws ConfigFault if it can't listen at the port */
export async function startSimulatedServices(options: {
  config: Config;
  database: Database;
  log: Log;
  site: WallSite;
}): Promise<SimulatedServices> {
  const { config, database, log, site } = options;
  const listener = makeListener(log);
  const twilio = {
    accountSid: `AC${randomBytes(16).toString('hex')}`,
    authToken: readOrMakeSecret(config.dataDir, 'sandbox-text-messages'),
    serviceSid: `VA${randomBytes(16).toString('hex')}`,
  };
  mountCaptcha(listener);
  mountCompanies(listener);
  mountTextMessages(listener, { database, twilio });
  listener.get(RATE_PATH, async () => sourcePrices());
  mountWalls(listener, site, ownOrigins(config));
  const at = { port: config.sandboxPort, host: config.host, portName: 'SANDBOX_PORT', hostName: 'HOST' };
  await whenListening(at, listener.listen({ host: at.host, port: at.port }));

  const { port } = listener.server.address() as AddressInfo;
  const origin = `http://${reachableHost(config.host)}:${port}`;
  return {
    port,
    origin,
    twilio: { ...twilio, baseUrl: `${origin}/sandbox/twilio` },
    close: () => listener.close(),
  };
}

function makeListener(log: Log): FastifyInstance {
  const listener = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_BYTES_MAX,
    forceCloseConnections: true,
    schemaController: withoutSchemas,
  }) as unknown as FastifyInstance;
  listener.removeContentTypeParser('text/plain');
  listener.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, body),
  );
  return listener;
}

/** A local address that reaches a listener on `host`. */
export const reachableHost = (host: string): string =>
  host === '0.0.0.0' || host === '::' || host === 'localhost'
    ? '127.0.0.1'
    : host.includes(':')
      ? `[${host}]`
      : host;

/** Adds the simulated services to the configuration, except those that the environment sets. */
export function withSimulatedServices(config: Config, services: SimulatedServices, smtpUrl: string): Config {
  const { hcaptcha, twilio } = config;
  const isTestCaptcha = hcaptcha.secret === captchaTestPair.secret;
  const isOfficial = new URL(hcaptcha.verifyUrl).hostname.endsWith('hcaptcha.com');
  const verifyUrl = isTestCaptcha && isOfficial ? `${services.origin}${CAPTCHA_PATH}` : hcaptcha.verifyUrl;
  const hasTwilio = twilio.accountSid !== '' && twilio.authToken !== '' && twilio.serviceSid !== '';
  const simulated = (company: 'paypal' | 'nowpayments') => {
    const origin = `${services.origin}${COMPANIES_PATH}/${company}`;
    return { sandbox: origin, production: origin };
  };
  return {
    ...config,
    companies: { paypal: simulated('paypal'), nowpayments: simulated('nowpayments') },
    sandboxPort: services.port,
    hcaptcha: { ...hcaptcha, verifyUrl },
    smtpUrl: config.smtpUrl ?? smtpUrl,
    twilio: hasTwilio ? twilio : services.twilio,
    rateSourceUrl: config.rateSourceUrl ?? `${services.origin}${RATE_PATH}`,
  };
}
