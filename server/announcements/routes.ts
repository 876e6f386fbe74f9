import * as contract from '#contract/announcements.ts';
import { handle } from '#platform/http/handle.ts';
import type { Platform } from '#platform/platform.ts';
import { readAnnouncements, readLatest } from './announcements.ts';

/** HTTP for everybody: the public announcements, and the newest of them. */
export function announcementsRoutes(platform: Platform): void {
  handle(platform, contract.readAnnouncements, ({ query }) => readAnnouncements(platform, query.lang));
  handle(platform, contract.readLatestAnnouncement, ({ query }) => readLatest(platform, query.lang));
}
