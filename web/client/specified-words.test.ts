import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusals } from '#contract/refusals.ts';
import { type Words, wordAt, wordsOf } from '../../test/words.ts';

/**
 * The words that are specified letter by letter. Other tests find a message by its key, so that its wording may change;
 * these may not change.
 */
const specified: Record<string, string> = {
  'auth.loginFailed': 'Login Failed',
  'auth.registerFailed': 'Registration Failed',
  'auth.created': 'Account created successfully!',
  'auth.errors.email': 'Please enter a valid email',
  'common.passwordShort': 'Password must be at least 6 characters',
  'common.passwordMismatch': 'Passwords do not match',
  'auth.errors.name': 'Please enter your name',
  'auth.errors.captcha': 'Please complete the captcha verification',
  'auth.errors.captchaFailed': 'Captcha verification failed. Please try again.',
  'auth.errors.captchaExpired': 'Captcha verification expired. Please verify again.',
  'auth.errors.check': 'Security Check Failed: Unable to verify registration eligibility. Please try again.',
  'auth.errors.device': 'Device verification required. Please refresh the page.',
  'auth.errors.blocked': 'Account registration blocked due to security concerns. Please contact support.',
  'refusals.manual-review-required':
    'Registration requires manual review. Our team will contact you within 24 hours.',
  'auth.errors.notAllowed': 'Registration not allowed: {reasons}',
  'access.reset.failed': 'Failed to set password',
  'withdrawals.errors.minimum': 'Minimum withdrawal amount for {method} is {minimum} points.',
  'withdrawals.errors.insufficient': 'Insufficient Balance: Withdrawal amount exceeds current balance.',
  'withdrawals.errors.address.litecoin': 'Litecoin Address Required',
  'withdrawals.errors.address.dash': 'Dash Address Required',
  'withdrawals.belowMinimum': 'Below minimum withdrawal amount',
  'withdrawals.need': 'Need {amount}P more.',
  'withdrawals.phoneNeeded': 'You must verify your phone number before making withdrawals.',
  'walletAccounts.cryptoFailedText': 'Check the API key and the settings again.',
  'withdrawals.failedTitle': 'Failed to fetch withdrawal history',
  'withdrawals.dialog.failedToast': 'Submit Request 실패',
  'coinflip.betRange': 'Bet amount must be between 1 and 500 points',
  'coinflip.limit': 'Daily Limit Reached',
  'coinflip.limitText': "You've played your {count} games for today. Come back tomorrow!",
  'coinflip.error': 'Error',
  'coinflip.failed': 'Failed to play game',
  'coinflip.insufficient': 'Insufficient balance',
  'bonus.earnedTitle': 'Daily Bonus Earned!',
  'bonus.claimFailedTitle': 'Bonus Claim Failed',
  'referrals.copyFailed.title': 'Copy failed',
  'referrals.copyFailed.code': 'Failed to copy referral code.',
  'settings.messages.saved': 'Settings saved successfully',
  'common.settingsFailed': 'Failed to save settings',
  'settings.password.done': 'Password changed successfully',
  'settings.password.failed': 'Failed to change password',
  'settings.danger.done': 'Account deleted successfully',
  'settings.danger.failed': 'Failed to delete account',
  'settings.phone.errors.send': 'Failed to send verification code',
  'chatTheme.failed': 'Theme Save Failed',
  'chatTheme.failedText': 'An error occurred while saving the theme.',
  'profile.generating': 'Generating...',
  'profile.administrator': 'Administrator',
  'profile.user': 'User',
  'history.points': 'Points History',
  'history.withdrawals': 'Withdrawal History',
  'referrals.status.rewarded': 'Paid',
  'approvals.noteRequired': 'Rejection Note Required',
  'approvals.noteRequiredText': 'Please provide a reason for rejection',
  'approvals.fail.approved': 'Approval Failed',
  'approvals.fail.rejected': 'Rejection Failed',
  'chargebackList.failed.title': 'Failed to fetch chargebacks',
  'chargebackList.statsFailed': 'Failed to fetch stats',
  'chargebackList.manual.failed': 'Chargeback Failed',
  'chargebackList.test.failed': 'Test Failed',
  'chargebackList.manual.title': 'Manual Chargeback',
  'chargebackList.test.title': 'Test Chargeback',
  'chargebackList.errors.member': 'User ID is required',
  'chargebackList.errors.amount': 'Amount must be a positive number',
  'chargebackList.errors.reason': 'Reason is required',
  'chargebackList.errors.provider': 'Provider is required',
  'chat.ban.title': 'You are banned from chat',
  'chat.ban.reason': 'Reason: {reason}',
  'chat.ban.noReason': 'Violation of chat rules',
  'chat.ban.expires': 'Expires {time}, {from}',
  'chat.ban.permanent': 'Duration: Permanent',
  'chat.forbidden': 'Your message was blocked. Reason: Contains forbidden content',
  'chat.forbiddenWord': 'Your message was blocked. Reason: Contains forbidden content “{word}”',
  'chat.sendFailed': 'Failed to send message. Please try again.',
  'support.empty.title': 'No support requests yet.',
  'support.status.pending': 'Pending',
  'announcements.viewAll': 'View All',
  'announcements.latest': 'Latest',
  'announcements.empty.title': 'No announcements available',
  'chatModeration.tabs.words': 'Banned Words',
  'chatModeration.tabs.bans': 'User Bans',
  'chatModeration.unknown': 'Unknown',
  'chatModeration.bans.never': 'Never',
  'chatModeration.bans.active': 'Active',
  'chatModeration.bans.inactive': 'Inactive',
  'chatModeration.words.failed': 'Failed to add banned word',
  'chatModeration.bans.failed': 'Failed to ban user',
  'announcementList.fail.again': 'Please try again.',
};

/** The text that the server's detail must be. */
const refusalWords: Partial<Record<keyof typeof refusals, string>> = {
  'invalid-bet': 'Bet amount must be between 1 and 500 points',
  'daily-limit-reached': 'Daily game limit reached',
  'phone-not-verified': 'You must verify your phone number before making withdrawals.',
  'insufficient-balance': 'Insufficient Balance: Withdrawal amount exceeds current balance.',
  'captcha-failed': 'Captcha verification failed. Please try again.',
  'registration-blocked': 'Account registration blocked due to security concerns. Please contact support.',
  'manual-review-required': 'Registration requires manual review. Our team will contact you within 24 hours.',
  'registration-not-allowed': 'Registration not allowed',
  'wrong-code': 'Invalid verification code',
  'forbidden-content': 'Your message was blocked. Reason: Contains forbidden content',
};

test('§1-8 specified texts: has the specified English words, and a Korean text for each', () => {
  const [en, ko] = [wordsOf('en'), wordsOf('ko')];
  for (const [key, words] of Object.entries(specified)) {
    assert.equal(wordAt(en, key), words, key);
    assert.match(String(wordAt(ko, key)), /[가-힣]/, key);
  }
});

/** Korean texts of messages that are specified in Korean. */
const specifiedKorean: Record<string, string> = {
  'grants.give.required': '모든 항목을 입력해 주세요',
  'grants.give.positive': '포인트는 0보다 커야 합니다',
  'grants.give.failed': '포인트 지급 실패',
  'suspensions.failed.title': '정지 목록을 불러오지 못했습니다',
  'suspensions.form.failed': '사용자 정지에 실패했습니다',
  'suspensions.lift.failed': '정지 해제에 실패했습니다',
  'suspensions.lift.required': '해제 사유를 입력해 주세요',
  'tickets.fail.respond': '답변을 보내지 못했습니다.',
  'tickets.fail.status': '상태를 바꾸지 못했습니다.',
  'announcementList.errors.title': '제목을 입력해 주세요',
  'announcementList.errors.content': '내용을 입력해 주세요',
  'announcementList.fail.again': '다시 시도해 주세요.',
};

test('§2-8 specified texts: has the Korean messages of operators', () => {
  for (const [key, words] of Object.entries(specifiedKorean))
    assert.equal(wordAt(wordsOf('ko'), key), words, key);
});

test('§2-9 names of chargebacks: labels chargebacks as specified', () => {
  for (const section of ['chargebacks', 'chargebackList']) {
    const { providers, reasons } = wordsOf('en')[section] as { providers: Words; reasons: Words };
    for (const labels of [providers, reasons])
      for (const [key, label] of Object.entries(labels)) assert.equal(label, key);
  }
});

test("has the specified Korean sentence for a survey URL that can't be built", () => {
  assert.equal(wordAt(wordsOf('ko'), 'cpxSurveys.noUrl'), 'CPX Research URL을 생성할 수 없습니다.');
});

test("has the specified sentences in the server's refusals", () => {
  for (const [code, words] of Object.entries(refusalWords))
    assert.equal(refusals[code as keyof typeof refusals].detail, words, code);
});
