import type { FastifyReply, FastifyRequest } from 'fastify';
import * as contract from '#contract/earning.ts';
import { uncounted } from '#platform/http/admission.ts';
import type { Platform } from '#platform/platform.ts';
import type { Counting } from './ceilings.ts';
import { createBooking, type HouseholdParts, type Postback, receivePostback } from './postbacks.ts';
import { receivedUrl } from './providers/raw-query.ts';
import { findProvider } from './providers/registry.ts';

/**
 * The endpoints that providers call. Providers sign the raw bytes, so nothing is decoded before the adapter has
 * verified them. No log line and no answer repeats them. HEAD is refused, because GET has effects.
 */
const BODY_BYTES_MAX = 64 * 1024;

export async function earningHooks(platform: Platform, counting: Counting & HouseholdParts): Promise<void> {
  const book = createBooking(platform.database);
  const answer = async (request: FastifyRequest, reply: FastifyReply, isChargebackOnly: boolean) => {
    const { provider, token } = request.params as { provider: string; token?: string };
    const isKnown = !isChargebackOnly || findProvider(provider)?.takesChargebacks === true;
    const postback: Postback = {
      providerId: isKnown ? provider : '',
      pathToken: token ?? null,
      address: request.ip,
      isChargebackOnly,
      raw: {
        method: request.method === 'POST' ? 'POST' : 'GET',
        url: receivedUrl(platform.config.publicUrl, request.raw.url ?? ''),
        headers: request.headers,
        rawBody: (request.body as Buffer | undefined) ?? Buffer.alloc(0),
      },
    };
    const { answer: text } = await receivePostback(platform, book, postback, counting);
    return reply.code(200).header('content-type', 'text/plain; charset=utf-8').send(text);
  };

  await platform.app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: BODY_BYTES_MAX },
      (_request, body, done) => done(null, body),
    );
    for (const [kind, isChargebackOnly] of [
      ['postback', false],
      ['chargeback', true],
    ] as const)
      for (const url of [`/api/webhooks/${kind}/:provider`, `/api/webhooks/${kind}/:provider/:token`])
        scope.route({
          method: ['GET', 'POST'],
          url,
          exposeHeadRoute: false,
          config: { ...uncounted, access: 'webhook' },
          handler: (request, reply) => answer(request, reply, isChargebackOnly),
        });
  });
  platform.endpoints.push(
    contract.getPostback,
    contract.postPostback,
    contract.getChargeback,
    contract.postChargeback,
  );
}
