import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { givenDay, givenTime, optionalText, rowId, siteDay, text, time } from './fields.ts';
import { operatorList } from './operator-list.ts';

/** Announcements: what operators tell all members, now or at a time, in English and optionally in Korean. */

export const ANNOUNCEMENT_TITLE_MAX = 200;
export const ANNOUNCEMENT_CONTENT_MAX = 5_000;
/** The list that members read has at most this many of the newest. */
export const ANNOUNCEMENTS_MAX = 100;

/** How many site days a change of the terms is known before it is in force. */
export const TERMS_NOTICE_DAYS = 7;
export const IMPORTANT_TERMS_NOTICE_DAYS = 30;

export const announcement = z.object({
  id: z.string(),
  title: z.string(),
  content: z.string(),
  /** When it became public. */
  createdAt: time,
});
export type Announcement = z.infer<typeof announcement>;

/** Without a Korean text the English one is sent. */
const languageQuery = z.object({ lang: z.enum(['en', 'ko']).default('en') });

export const readAnnouncements = endpoint({
  method: 'GET',
  path: '/api/announcements',
  summary: `Public announcements, newest first, at most ${ANNOUNCEMENTS_MAX}`,
  access: 'public',
  topic: 'announcements',
  query: languageQuery,
  reply: z.array(announcement),
});

export const readLatestAnnouncement = endpoint({
  method: 'GET',
  path: '/api/announcements/latest',
  summary: 'The newest public announcement; null if there is none',
  access: 'public',
  topic: 'announcements',
  query: languageQuery,
  reply: announcement.nullable(),
});

export const announcementStates = ['scheduled', 'latest', 'listed'] as const;

export const operatorAnnouncement = announcement.extend({
  titleKo: z.string().nullable(),
  contentKo: z.string().nullable(),
  state: z.enum(announcementStates),
  /** The first day of the changed terms; null for an announcement that changes none. */
  effectiveOn: siteDay.nullable(),
  isImportant: z.boolean(),
  /** The e-mail address of the operator who wrote it; null if the account is gone. */
  adminEmail: z.string().nullable(),
});
export type OperatorAnnouncement = z.infer<typeof operatorAnnouncement>;

export const readAnnouncementList = operatorList({
  path: '/api/admin/announcements',
  summary: 'All announcements, also scheduled ones, newest first',
  topic: 'announcements',
  row: operatorAnnouncement,
  sorts: ['createdAt'],
  defaultSort: '-createdAt',
  filters: { state: { kind: 'choice', choices: announcementStates } },
  searches: ['id'],
});

export const publishAnnouncement = endpoint({
  method: 'POST',
  path: '/api/admin/announcements',
  summary: 'Announce something to all members, now or at a time',
  access: 'operator',
  act: 'announcement.publish',
  refreshes: ['announcements'],
  body: z.strictObject({
    title: text(ANNOUNCEMENT_TITLE_MAX, 'Title is required'),
    content: text(ANNOUNCEMENT_CONTENT_MAX, 'Content is required'),
    titleKo: optionalText(ANNOUNCEMENT_TITLE_MAX).nullable().optional(),
    contentKo: optionalText(ANNOUNCEMENT_CONTENT_MAX).nullable().optional(),
    /** Without it the announcement is public at once. */
    publishAt: givenTime.nullable().optional(),
    /** Members must know of changed terms in time. */
    termsChange: z
      .strictObject({ effectiveOn: givenDay, isImportant: z.boolean().default(false) })
      .nullable()
      .optional(),
  }),
  status: 201,
  reply: operatorAnnouncement,
});

export const deleteAnnouncement = endpoint({
  method: 'DELETE',
  path: '/api/admin/announcements/:id',
  summary: 'Delete an announcement for all members',
  access: 'operator',
  act: 'announcement.delete',
  refreshes: ['announcements', 'broadcasts'],
  params: z.object({ id: rowId }),
  status: 204,
  reply: z.null(),
  refusals: ['not-found'],
});
