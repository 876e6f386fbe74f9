import type { Database, Reader } from '#platform/database.ts';
import * as queries from './queries.ts';
import { type Device, readSettings } from './settings.ts';

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

/** The text of the document, in pieces. */
export async function* exportText(
  database: Database,
  memberId: number,
  device: Device,
  sections: readonly ExportSection[],
): AsyncGenerator<string> {
  const [row, settings] = await Promise.all([
    queries.readWholeProfile(database, memberId),
    readSettings(database, memberId, device),
  ]);
  const head = { exportedAt: new Date().toISOString(), profile: profileOf(row), settings };
  yield JSON.stringify(head, null, 2).slice(0, -2);
  for (const { name, rows } of sections) {
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

/** Everything that was decided against the member. */
export async function* exportSuspensions(reader: Reader, memberId: number) {
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
