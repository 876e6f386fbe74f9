import type { User } from '#contract/user.ts';
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
