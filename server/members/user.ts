import { readUser } from '#contract/access.ts';
import type { User } from '#contract/user.ts';
import { pickerOf } from '#platform/http/reply-shape.ts';
import type { MemberRow } from './sign-in-queries.ts';

/** A member in the contract's shape. */
export const userOf = (row: MemberRow): User => ({
  id: String(row.id),
  firstName: row.firstName,
  lastName: row.lastName,
  email: row.email,
  role: row.role,
  profileImageUrl: row.profileImageUrl,
  createdAt: row.createdAt.toISOString(),
  referralCode: row.referralCode,
  chatTheme: row.chatTheme,
  chatBubbleColor: row.chatBubbleColor,
  chatTextColor: row.chatTextColor,
  phoneVerified: row.phoneVerifiedAt !== null,
  phoneNumber: row.phoneNumber,
});

const texts = new WeakMap<MemberRow, string>();
const pick = pickerOf(readUser.reply);

/** A member as JSON in the contract's shape. It is written once for each row: a row that is kept is not changed. */
export function userTextOf(row: MemberRow): string {
  const known = texts.get(row);
  if (known !== undefined) return known;
  const text = JSON.stringify(pick(userOf(row)));
  texts.set(row, text);
  return text;
}
