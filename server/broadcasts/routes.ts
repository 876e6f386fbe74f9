import * as contract from '#contract/broadcasts.ts';
import { handle } from '#platform/http/handle.ts';
import type { Platform } from '#platform/platform.ts';
import { switchNews } from './unsubscribe.ts';

/** HTTP for everybody: the end of broadcasts by the link of a mail. */
export async function broadcastsRoutes(platform: Platform): Promise<void> {
  const { config } = platform;
  handle(
    platform,
    contract.openUnsubscribe,
    async ({ params }) =>
      `${config.publicUrl}${contract.UNSUBSCRIBE_PAGE}?token=${encodeURIComponent(params.token)}`,
  );
  handle(platform, contract.subscribeAgain, async ({ params }) => ({
    isKnown: await switchNews(platform, params.token, true),
  }));
  await platform.app.register(async (scope) => {
    for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data'])
      scope.addContentTypeParser(type, { parseAs: 'buffer' }, (_request, _body, done) =>
        done(null, undefined),
      );
    handle({ ...platform, app: scope }, contract.unsubscribe, async ({ params }) => ({
      isKnown: await switchNews(platform, params.token, false),
    }));
  });
}
