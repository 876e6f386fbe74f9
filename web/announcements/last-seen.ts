/** Where a browser keeps the id of the announcement that its member dismissed last. */
export const LAST_SEEN_KEY = 'lastSeenAnnouncementId';
