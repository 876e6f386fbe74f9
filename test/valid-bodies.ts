import { deviceTextOf } from './device.ts';

/**
 * A body with every field for each endpoint that takes one. A wrong value in one field reaches that field's own rule,
 * because the others are valid. No body names an existing account, password or request.
 */
const password = 'a quiet river 7';
const deviceFingerprint = deviceTextOf();
const token = 'a-token-that-nobody-was-sent';
const phoneNumber = '+821012345678';

export const validBodies: Record<string, Record<string, unknown>> = {
  'POST /api/auth/register': {
    email: 'new@example.com',
    password,
    firstName: 'Mina',
    lastName: 'Kim',
    referralCode: null,
    deviceFingerprint,
    hcaptchaToken: '10000000-aaaa-bbbb-cccc-000000000001',
  },
  'POST /api/auth/login': { email: 'nobody@example.com', password, hcaptchaToken: token },
  'POST /api/auth/admin/login': { username: 'nobody@example.com', password, hcaptchaToken: token },
  'POST /api/auth/admin/gate': { key: 'not the key' },
  'POST /api/auth/forgot-password': { email: 'nobody@example.com' },
  'POST /api/auth/reset-password': { token, newPassword: password },
  'POST /api/auth/verify-email': { token },
  'POST /api/auth/set-password': { newPassword: password },
  'POST /api/security/check-registration': { email: 'nobody@example.com', phoneNumber, deviceFingerprint },
  'POST /api/device/fingerprint': {
    userAgent: 'test',
    screenResolution: '1x1',
    timezone: 'UTC',
    language: 'en',
    platform: 'test',
    plugins: ['one'],
    canvas: 'c',
    webgl: 'w',
  },
  'POST /api/behavior/log': { action: 'click', target: 'button', metadata: {}, sessionId: null },
  'POST /api/security/track-behavior': { action: 'click' },
  'POST /api/auth/send-phone-verification': { phoneNumber, password, oldCode: '123456' },
  'POST /api/auth/verify-phone-code': { phoneNumber, code: '123456' },
  'PUT /api/user/settings': {
    language: 'ko',
    timezone: 'UTC',
    currency: 'EUR',
    emailNotifications: false,
    notices: { paid: { mail: false, push: false } },
  },
  'POST /api/notices/read': { upTo: '1' },
  'POST /api/auth/not-me': { token: '100000001-1-abcdefghijklmnopqrstuv' },
  'PUT /api/user/chat-theme': { chatTheme: 'custom', chatBubbleColor: '#3B82F6', chatTextColor: '#FFFFFF' },
  'PUT /api/user/password': { currentPassword: 'not the password', newPassword: password },
  'DELETE /api/user/account': { password: 'not the password' },
  'POST /api/cpx/generate-url': { userId: 'anything' },
  'POST /api/theoremreach/generate-url': { userId: 'anything' },
  'POST /api/admin/pending-earnings/:id/approve': { reviewNote: 'Looks right' },
  'POST /api/admin/pending-earnings/:id/reject': { reviewNote: 'Looks wrong' },
  'POST /api/admin/registration-reviews/:id/approve': { reason: 'A family with one computer' },
  'POST /api/admin/registration-reviews/:id/reject': { reason: 'A banned person' },
  'POST /api/admin/postbacks/:id/replay': {
    reason: 'The secret was wrong',
    verdict: 'credited',
    memberId: '123456789',
    amount: '180',
  },
  'POST /api/admin/quarantine/:id/resolve': { action: 'dismiss', memberId: '123456789', note: 'Seen' },
  'POST /api/admin/providers/:id/test': {
    url: 'https://wall.example/',
    apiKey: 'key',
    secret: 'secret of a test',
  },
  'PUT /api/admin/providers/:id': {
    id: 'cpx',
    name: 'CPX',
    type: 'survey',
    url: 'https://wall.example/',
    apiKey: 'key',
    secret: 'secret of a test',
    postbackUrl: 'https://site.example/',
    isEnabled: false,
    settings: {
      sourceAddresses: ['203.0.113.9'],
      sourcePolicy: 'record',
      pathToken: null,
      formerSecretHours: 24,
    },
    version: '0123456789abcdef',
  },
  'POST /api/admin/chargebacks/manual': { userId: '123456789', amount: 5, reason: 'Paid twice' },
  'POST /api/admin/test-chargeback': { userId: '123456789', provider: 'cpx', amount: 5, reason: 'A test' },
  'POST /api/admin/suspend-user': {
    userId: '123456789',
    reason: 'A test',
    severity: 'temporary',
    suspensionType: 'earnings_blocked',
    expiresAt: '2999-01-01T00:00:00Z',
  },
  'POST /api/admin/lift-suspension/:id': { liftReason: 'A test' },
  'POST /api/admin/give-points': { userId: '123456789', amount: 5, reason: 'Prize' },
  'POST /api/admin/manual-rewards/:id/decline': { reason: 'Not agreed' },
  'POST /api/coin-flip': { betAmount: 1, playerChoice: 'heads' },
  'POST /api/coin-flip/fairness': { clientSeed: 'seed' },
  'POST /api/withdrawal': {
    amountPoints: '1000',
    method: 'litecoin',
    recipientInfo: { address: 'LVg2kJoFNg45Nbpy53h7Fe1wKyeXVRhMH9' },
  },
  'POST /api/admin/withdrawals/:id/reject': { reason: 'Wrong address' },
  'POST /api/admin/withdrawals/approve-all': { expectedCount: 1, expectedPoints: '1000' },
  'POST /api/admin/withdrawals/reject-all': {
    reason: 'Wrong address',
    expectedCount: 1,
    expectedPoints: '1000',
  },
  'POST /api/admin/withdrawals/:id/approve': { quoteId: '00000000-0000-4000-8000-000000000000' },
  'POST /api/admin/rates/:currency/confirm': { usd: '80.5', reason: 'anything' },
  'POST /api/admin/payouts/pause': { reason: 'The wallet is moved' },
  'POST /api/admin/payouts/resume': { reason: 'The wallet is moved' },
  'POST /api/admin/payouts/:id/retry': { reason: 'Looked at the wallet', txIds: ['0'.repeat(64)] },
  'POST /api/admin/withdrawals/:id/clear': { reason: 'A prize', txIds: ['0'.repeat(64)] },
  'POST /api/admin/payouts/:id/fail': { reason: 'Looked at the wallet', txIds: ['0'.repeat(64)] },
  'POST /api/admin/payouts/:id/settle': {
    reason: 'Looked at the wallet',
    txId: '0'.repeat(64),
    acceptedAmount: '0.02484472',
  },
  'PUT /api/admin/site': {
    payoutsPaused: false,
    processingTime: '1–3 business days',
    payoutDelaySeconds: 3,
    caps: { memberDay: '100000', methodDay: null, secondPersonFrom: null },
    rateBounds: { differencePercent: 2, jumpPercent: 15 },
    providerCeilingTimes: 10,
    switches: { addressHold: false },
    postbackDays: 400,
    reason: 'The wallet is moved',
  },
  'POST /api/admin/payment-methods/:method/test': { credentials: { rpcUser: 'user' } },
  'PUT /api/admin/payment-methods/:method': {
    method: 'litecoin',
    isEnabled: false,
    credentials: { rpcUser: 'user', rpcPassword: 'password', rpcHost: '127.0.0.1', rpcPort: 9332 },
    settings: { minimumAmount: 1000, maximumAmount: 5000, processingFee: 0 },
    version: '0123456789abcdef',
  },
  'POST /api/support/tickets': { subject: 'A question', message: 'Where are my points?' },
  'POST /api/admin/support/tickets/:id/respond': { response: 'Here they are.', status: 'resolved' },
  'POST /api/admin/support-tickets/:id/respond': { response: 'Here they are.' },
  'PATCH /api/admin/support/tickets/:id/status': { status: 'closed' },
  'PATCH /api/admin/support-tickets/:id/status': { status: 'closed' },
};

/** Times that no field takes. PostgreSQL has no year 0, and the third is in year 10000 in UTC. */
export const wrongTimes = ['0000-01-01T00:00:00Z', '1969-12-31T23:59:59Z', '9999-12-31T23:59:59-00:01'];

/** Values that are wrong in most fields, and right in these of operators' calls. */
export const takenByOperators: Record<string, unknown[]> = {
  // A fraction is rounded.
  'POST /api/admin/chargebacks/manual amount': [1.5],
  'POST /api/admin/test-chargeback amount': [1.5],
  'POST /api/admin/suspend-user expiresAt': [null],
  'PUT /api/admin/site payoutsPaused': [true],
  'PUT /api/admin/providers/:id isEnabled': [true],
  'PUT /api/admin/providers/:id settings.pathToken': [null],
  'PUT /api/admin/payment-methods/:method isEnabled': [true],
  // No cap.
  'PUT /api/admin/site caps.memberDay': [null],
  'PUT /api/admin/site caps.methodDay': [null],
  'PUT /api/admin/site caps.secondPersonFrom': [null],
  'PUT /api/admin/site providerCeilingTimes': [null],
  'PUT /api/admin/site switches.addressHold': [true],
};
