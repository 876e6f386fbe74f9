import type { Database, Reader } from '#platform/database.ts';
import * as queries from './queries.ts';
import { type Device, readSettings } from './settings.ts';

/**
 * Exports all data about a member as one JSON document. Each feature provides its sections; `app.ts` lists them. The
 * document is streamed page by page, so that a long history needs no more memory than a short one. It never holds
 * passwords, tokens, hashes of them, or other people's data.
 */
export type ExportSection = {
  name: string;
  /** The member's rows with the contract's names, oldest first, read in bounded pages. */
  rows(reader: Reader, memberId: number): AsyncIterable<unknown>;
};

/** Makes the text of the document, in pieces. */
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
    for await (const one of rows(database.patient, memberId)) {
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
  firstName: row.firstName,
  lastName: row.lastName,
  role: row.role,
  profileImageUrl: row.profileImageUrl,
  createdAt: row.createdAt.toISOString(),
  lastSignInAt: isoOrNull(row.lastSignInAt),
  registeredFrom: row.registeredFrom,
  termsVersion: row.termsVersion,
  hasPassword: row.hasPassword,
  phoneNumber: row.phoneNumber,
  phoneVerifiedAt: isoOrNull(row.phoneVerifiedAt),
  referralCode: row.referralCode,
  referredByCode: row.referredByCode,
  chatTheme: row.chatTheme,
  chatBubbleColor: row.chatBubbleColor,
  chatTextColor: row.chatTextColor,
});

/** Exports the member's suspensions. */
export async function* exportSuspensions(reader: Reader, memberId: number) {
  for (const row of await queries.readSuspensions(reader, memberId))
    yield {
      suspensionType: row.suspensionType,
      severity: row.severity,
      reason: row.reason,
      createdAt: row.createdAt.toISOString(),
      expiresAt: isoOrNull(row.expiresAt),
      liftedAt: isoOrNull(row.liftedAt),
      liftReason: row.liftReason,
    };
}
