/**
 * All refusals. A code is stable, and the web translates by it. `detail` is the default English sentence; a rule can
 * replace it with a more exact one.
 */
export const refusals = {
  'invalid-request': { status: 400, detail: 'The request is not valid.' },
  'invalid-bet': { status: 400, detail: 'Bet amount must be between 1 and 500 points' },
  'invalid-postback': { status: 400, detail: 'The postback is not valid.' },
  unauthenticated: { status: 401, detail: 'Please log in.' },
  'invalid-credentials': { status: 401, detail: 'The e-mail address or the password is wrong.' },
  forbidden: { status: 403, detail: 'This is for operators only.' },
  'cross-site': { status: 403, detail: 'The request came from another site.' },
  'wrong-key': { status: 403, detail: 'The key is wrong.' },
  'wrong-password': { status: 403, detail: 'The password is wrong.' },
  'registration-blocked': {
    status: 403,
    detail: 'Account registration blocked due to security concerns. Please contact support.',
  },
  'manual-review-required': {
    status: 403,
    detail: 'Registration requires manual review. Our team will contact you within 24 hours.',
  },
  'registration-not-allowed': { status: 403, detail: 'Registration not allowed' },
  'phone-not-verified': {
    status: 403,
    detail: 'You must verify your phone number before making withdrawals.',
  },
  'earnings-suspended': { status: 403, detail: 'Earning is suspended on your account.' },
  'withdrawals-suspended': { status: 403, detail: 'Withdrawing is suspended on this account.' },
  'account-suspended': { status: 403, detail: 'Your account is suspended.' },
  'captcha-required': { status: 403, detail: 'Please complete the captcha verification.' },
  'fresh-factor-required': {
    status: 403,
    detail: 'Enter your password or a code sent to your old number.',
  },
  'chat-banned': { status: 403, detail: 'You are banned from chat.' },
  'reset-required': {
    status: 403,
    detail: 'This account is locked. Choose a new password by mail first.',
  },
  'address-blocked': { status: 403, detail: 'Calls from this network address are blocked.' },
  'invalid-signature': { status: 403, detail: 'The signature does not match.' },
  'source-refused': { status: 403, detail: 'Calls from this address are refused.' },
  'not-found': { status: 404, detail: 'There is nothing here.' },
  'unknown-provider': { status: 404, detail: 'There is no such provider.' },
  'unknown-member': { status: 404, detail: 'There is no such member.' },
  'email-taken': { status: 409, detail: 'An account with this e-mail address exists.' },
  'phone-taken': { status: 409, detail: 'This phone number belongs to another account.' },
  'insufficient-balance': {
    status: 409,
    detail: 'Insufficient Balance: Withdrawal amount exceeds current balance.',
  },
  'already-decided': { status: 409, detail: 'This has been decided already.' },
  'not-failed': { status: 409, detail: 'It did not fail, or it is tried again within minutes.' },
  'already-sent': { status: 409, detail: 'The payment is prepared already. It can’t be taken back.' },
  'withdrawal-in-check': {
    status: 409,
    detail: 'This request may have been paid already, so it is being checked. Try again after that.',
  },
  'points-in-check': {
    status: 409,
    detail:
      'The points of this request may have been paid already. Nothing is paid for them until that is clear.',
  },
  'withdrawal-disowned': {
    status: 409,
    detail: 'After this request the member said that somebody else used the account. Reject it.',
  },
  'quote-moved': { status: 409, detail: 'The rate has moved. Look at the new amount first.' },
  'totals-changed': { status: 409, detail: 'The pending requests are others by now. None was decided.' },
  'outcome-changed': {
    status: 409,
    detail: 'The outcome is another one by now. Look at it again; nothing was booked.',
  },
  'payout-busy': { status: 409, detail: 'Another process works on these payouts. Try again in a moment.' },
  'payout-halted': {
    status: 409,
    detail: 'Nothing is paid any more. This ends by itself as soon as it is certain that nothing was paid.',
  },
  'payout-finished': { status: 409, detail: 'This payout is finished.' },
  'payout-unclear': { status: 409, detail: 'The payment may have been made, or may still be made.' },
  'payment-mismatch': { status: 409, detail: 'This transaction does not pay this payout.' },
  'member-in-debt': {
    status: 409,
    detail: 'The member’s balance is below zero. Nothing is paid until it is filled.',
  },
  'address-on-hold': {
    status: 409,
    detail: 'The address is new, or the account changed shortly before. It waits.',
  },
  'own-request': { status: 409, detail: 'This is your own request. Another operator must decide it.' },
  'own-address': { status: 409, detail: 'You call from this address. It can’t be blocked.' },
  'asker-not-operator': {
    status: 409,
    detail: 'Who asked for this is no operator any more, or said since that somebody else used the account.',
  },
  'second-operator-needed': {
    status: 409,
    detail:
      'Your approval is recorded. Another operator must approve it as well: in a day, one operator alone approves ' +
      'less than the sum for two people.',
  },
  'own-provider-change': {
    status: 409,
    detail:
      'You changed this provider’s secret or source rule in the last 7 days. Another operator must approve.',
  },
  'chargeback-too-large': {
    status: 409,
    detail: 'This is more than one operator may take back alone.',
  },
  'payout-capped': { status: 409, detail: 'The cap of payouts of this day is reached.' },
  'household-code': { status: 422, detail: 'No household has this code now.' },
  'in-household': { status: 409, detail: 'You are in a household already.' },
  'household-full': { status: 409, detail: 'This household has as many members as it can have.' },
  'already-exists': { status: 409, detail: 'This exists already.' },
  'credit-not-missing': {
    status: 409,
    detail: 'A credit of this has arrived, or is being checked.',
  },
  'claim-too-early': { status: 409, detail: 'The provider’s usual time is not over yet.' },
  'already-claimed': { status: 409, detail: 'Claimed already today.' },
  'in-progress': { status: 409, detail: 'The same request is still running.' },
  'no-password': { status: 409, detail: 'This account has no password.' },
  'has-password': { status: 409, detail: 'This account has a password.' },
  'withdrawal-pending': { status: 409, detail: 'A withdrawal is still undecided.' },
  'rate-unavailable': { status: 409, detail: 'No fresh exchange rate is available.' },
  'settings-changed': {
    status: 409,
    detail: 'Another operator changed these settings. Look at them again.',
  },
  'views-full': {
    status: 409,
    detail: 'This screen has nine views. Remove one first.',
  },
  'payout-unavailable': { status: 409, detail: 'No payout rail is set up for this method.' },
  'too-large': { status: 413, detail: 'The request is too large.' },
  'unsupported-media-type': { status: 415, detail: 'The request must be JSON.' },
  'not-utf8': { status: 415, detail: 'The request must be in UTF-8.' },
  'captcha-failed': { status: 422, detail: 'Captcha verification failed. Please try again.' },
  'common-password': { status: 422, detail: 'This password is too common.' },
  'unknown-referral-code': { status: 422, detail: 'This referral code does not exist.' },
  'below-minimum': { status: 422, detail: 'The amount is below the minimum.' },
  'above-maximum': { status: 422, detail: 'The amount is above the maximum.' },
  'invalid-address': { status: 422, detail: 'The address is not valid for this method.' },
  'method-disabled': { status: 422, detail: 'This method is not available.' },
  'wrong-code': { status: 422, detail: 'Invalid verification code' },
  'code-expired': { status: 422, detail: 'The verification code has expired.' },
  'links-not-allowed': { status: 422, detail: 'Links aren’t allowed here.' },
  'forbidden-content': {
    status: 422,
    detail: 'Your message was blocked. Reason: Contains forbidden content',
  },
  'not-a-chargeback': { status: 422, detail: 'This call is not a reversal.' },
  'idempotency-mismatch': { status: 422, detail: 'This key was used for another request.' },
  'slow-mode': { status: 429, detail: 'Slow mode is on. Wait a moment before the next message.' },
  'rate-limited': { status: 429, detail: 'Too many requests. Try again later.' },
  'withdrawal-limit-reached': { status: 429, detail: 'You have reached the limit of 5 withdrawals a day.' },
  'daily-limit-reached': { status: 429, detail: 'Daily game limit reached' },
  internal: { status: 500, detail: 'Something failed on our side.' },
  overloaded: { status: 503, detail: 'Too busy right now. Try again in a moment.' },
} as const satisfies Record<string, { status: number; detail: string }>;

export type RefusalCode = keyof typeof refusals;

/** The body of every failed call: problem details of RFC 9457. */
export type Problem = {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: RefusalCode;
  requestId?: string;
  errors?: { path: string; message: string }[];
  [extension: string]: unknown;
};
