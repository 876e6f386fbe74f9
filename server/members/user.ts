import type { User } from '#contract/user.ts';
import type { MemberRow } from './queries.ts';

/** A member as the wire shows one. */
export const userOf = (row: MemberRow): User => ({
  id: String(row.id),
  firstName: row.first_name,
  lastName: row.last_name,
  email: row.email,
  role: row.role,
  profileImageUrl: row.profile_image_url,
  createdAt: row.created_at.toISOString(),
  referralCode: row.referral_code,
  chatTheme: row.chat_theme,
  chatBubbleColor: row.chat_bubble_color,
  chatTextColor: row.chat_text_color,
  phoneVerified: row.phone_verified_at !== null,
  phoneNumber: row.phone_number,
});
