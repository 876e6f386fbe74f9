/** All events that are counted. None identifies a person. */
export type AnalyticsEvent =
  | { name: 'page_view' }
  | { name: 'sign_up'; method: 'email' }
  | { name: 'login'; method: 'email' | 'google' }
  | { name: 'referral_used' }
  | { name: 'offerwall_click'; provider: string }
  | { name: 'withdrawal_request'; method: string; points: number }
  | { name: 'points_earned'; provider: string; points: number; transaction_id: string };
