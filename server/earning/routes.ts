import { Readable } from 'node:stream';
import * as contract from '#contract/earning.ts';
import * as catalogue from '#contract/earning-catalogue.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { handle } from '#platform/http/handle.ts';
import type { Platform } from '#platform/platform.ts';
import { readPicture, readSurveys, readTasks } from './catalogue.ts';
import { readChargebacks, readReversedEarning } from './chargebacks.ts';
import { readActivity, readWalls, readWallUrl, recordOpening } from './earning.ts';

/** HTTP for members: walls, activity, chargebacks and the catalogue. */
export function earningRoutes(platform: Platform): void {
  handle(platform, contract.readOfferwalls, ({ caller }) => readWalls(platform, caller.id));
  handle(platform, contract.readActivity, ({ caller }) => readActivity(platform, caller.id));
  handle(platform, contract.readChargebacks, ({ caller }) => readChargebacks(platform, caller.id));
  handle(platform, contract.readReversedEarning, ({ caller, params }) =>
    readReversedEarning(platform, caller.id, params.id),
  );
  handle(platform, contract.openOfferwall, async ({ caller, params, ip, request }) => {
    const userAgent = request.headers['user-agent'] ?? '';
    await recordOpening(platform, params.id, caller.id, { userAgent, address: ip });
    return null;
  });
  handle(platform, contract.generateCpxUrl, ({ caller }) => readWallUrl(platform, 'cpx', caller.id));
  handle(platform, contract.readCpxUrl, ({ caller }) => readWallUrl(platform, 'cpx', caller.id));
  handle(platform, contract.generateTheoremreachUrl, ({ caller }) =>
    readWallUrl(platform, 'theoremreach', caller.id),
  );
  handle(platform, contract.readKiwiwallUrl, ({ caller }) => readWallUrl(platform, 'kiwiwall', caller.id));
  handle(platform, catalogue.readTasks, ({ query }) => readTasks(platform, query.lang));
  handle(platform, catalogue.readSurveys, ({ query }) => readSurveys(platform, query.lang));
  handle(platform, catalogue.readPicture, async ({ params, reply }) => {
    const { type, bytes } = await readPicture(platform, params.id);
    // Another picture has another id, so browsers may keep it.
    reply.header('content-type', type).header('cache-control', 'public, max-age=31536000, immutable');
    // The bytes are sent as they are.
    return Readable.from([bytes]) as unknown as ReplyOf<typeof catalogue.readPicture>;
  });
}
