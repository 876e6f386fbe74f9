import type { Database, Reader } from '#platform/database.ts';
import * as queries from './account-queries.ts';
import { readSettings } from './settings.ts';

/**
 * Everything about a member as one JSON document, for the member. Each feature tells its own part through its front
 * door; this puts them together. It is written while it is read, page by page, so that a long history needs no more
 * memory than a short one. It never holds a password, a token, a hash of either, or what belongs to somebody else.
 */
export type ExportSection = {
  name: string;
  /** The member's rows in the contract's words, oldest first, read in bounded pages. */
  rows(reader: Reader, memberId: number): AsyncIterable<unknown>;
};

const PAGE_ROWS = 500;

/**
 * Rows of a list that is read in pages, each after the last row of the one before.
 * @param readAfter reads at most `limit` rows that come after `last`, or the first ones
 */
export async function* inPages<Row>(
  readAfter: (last: Row | undefined, limit: number) => Promise<Row[]>,
): AsyncGenerator<Row> {
  let last: Row | undefined;
  for (;;) {
    const page: Row[] = await readAfter(last, PAGE_ROWS);
    yield* page;
    if (page.length < PAGE_ROWS) return;
    last = page.at(-1);
  }
}

/** What members themselves know of somebody, section by section. */
const ownSections: readonly ExportSection[] = [
  { name: 'sessions', rows: sessions },
  { name: 'devices', rows: devices },
  { name: 'signIns', rows: identities },
  { name: 'suspensions', rows: suspensions },
  { name: 'behaviour', rows: behaviour },
];

/** The text of the document, in pieces. */
export async function* exportText(
  database: Database,
  memberId: number,
  deviceLanguage: 'en' | 'ko',
  sections: readonly ExportSection[],
): AsyncGenerator<string> {
  const [row, settings] = await Promise.all([
    queries.readWholeProfile(database, memberId),
    readSettings(database, memberId, deviceLanguage),
  ]);
  const head = { exportedAt: new Date().toISOString(), profile: profileOf(row), settings };
  yield JSON.stringify(head, null, 2).slice(0, -2);
  for (const { name, rows } of [...ownSections, ...sections]) {
    yield `,\n  ${JSON.stringify(name)}: [`;
    let separator = '\n    ';
    for await (const one of rows(database, memberId)) {
      yield separator + JSON.stringify(one);
      separator = ',\n    ';
    }
    yield separator === '\n    ' ? ']' : '\n  ]';
  }
  yield '\n}\n';
}

const isoOrNull = (time: Date | null): string | null => time?.toISOString() ?? null;

const profileOf = (row: queries.ProfileRow) => ({
  id: String(row.id),
  email: row.email,
  firstName: row.first_name,
  lastName: row.last_name,
  role: row.role,
  profileImageUrl: row.profile_image_url,
  createdAt: row.created_at.toISOString(),
  lastSignInAt: isoOrNull(row.last_sign_in_at),
  registeredFrom: row.registered_from,
  termsVersion: row.terms_version,
  hasPassword: row.has_password,
  phoneNumber: row.phone_number,
  phoneVerifiedAt: isoOrNull(row.phone_verified_at),
  referralCode: row.referral_code,
  referredByCode: row.referred_by_code,
  chatTheme: row.chat_theme,
  chatBubbleColor: row.chat_bubble_color,
  chatTextColor: row.chat_text_color,
});

async function* sessions(reader: Reader, memberId: number) {
  for (const row of await queries.readLiveSessions(reader, memberId))
    yield {
      id: row.id,
      createdAt: row.created_at.toISOString(),
      lastSeenAt: row.last_seen_at.toISOString(),
      userAgent: row.user_agent,
      address: row.address,
    };
}

async function* devices(reader: Reader, memberId: number) {
  for (const row of await queries.readDevices(reader, memberId))
    yield {
      firstSeenAt: row.first_seen_at.toISOString(),
      lastSeenAt: row.last_seen_at.toISOString(),
      address: row.address,
      fields: row.fields,
    };
}

async function* identities(reader: Reader, memberId: number) {
  for (const row of await queries.readIdentities(reader, memberId))
    yield { issuer: row.issuer, subject: row.subject, linkedAt: row.linked_at.toISOString() };
}

async function* suspensions(reader: Reader, memberId: number) {
  for (const row of await queries.readSuspensions(reader, memberId))
    yield {
      suspensionType: row.suspension_type,
      severity: row.severity,
      reason: row.reason,
      createdAt: row.created_at.toISOString(),
      expiresAt: isoOrNull(row.expires_at),
      liftedAt: isoOrNull(row.lifted_at),
      liftReason: row.lift_reason,
    };
}

async function* behaviour(reader: Reader, memberId: number) {
  const rows = inPages<queries.BehaviourRow>((last, limit) =>
    queries.readBehaviourAfter(reader, memberId, last?.id ?? 0n, limit),
  );
  for await (const row of rows)
    yield { receivedAt: row.received_at.toISOString(), address: row.address, entries: row.entries };
}
