import * as contract from '#contract/announcements.ts';
import { handle } from '#platform/http/handle.ts';
import { handleOperatorList } from '#platform/http/operator-list.ts';
import type { Platform } from '#platform/platform.ts';
import { announcementList } from './announcement-list.ts';
import { type AnnouncementParts, deleteAnnouncement, publishAnnouncement } from './announcements.ts';

/** HTTP for operators: the list of announcements, publishing and deleting. */
export function announcementsAdminRoutes(platform: Platform, parts: AnnouncementParts): void {
  handleOperatorList(platform, announcementList);
  handle(platform, contract.publishAnnouncement, ({ caller, body }) =>
    publishAnnouncement(platform, caller.id, body),
  );
  handle(platform, contract.deleteAnnouncement, async ({ caller, params }) => {
    await deleteAnnouncement(platform, caller.id, BigInt(params.id), parts);
    return null;
  });
}
