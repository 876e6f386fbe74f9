import * as contract from '#contract/chat.ts';
import { memberKey } from '#platform/http/admission.ts';
import { handle } from '#platform/http/handle.ts';
import type { Limit } from '#platform/http/limits.ts';
import type { Platform } from '#platform/platform.ts';
import { reportMessage } from './reports.ts';

/** The reports that a member may make. Each may wait for an operator. */
export const madeReports: Limit = { name: 'chat-reports', max: 10, perS: 3_600, scaledIn: 'never' };

/** HTTP for members: reporting a message. */
export function chatReportRoutes(platform: Platform): void {
  handle(
    platform,
    contract.reportMessage,
    async ({ caller, params, body }) => {
      await reportMessage(platform, caller.id, { id: BigInt(params.id), reason: body.reason });
      return null;
    },
    { limits: [{ limit: madeReports, by: ({ caller }) => memberKey(caller.id) }] },
  );
}
