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
  'PUT /api/user/chat-theme': { chatTheme: 'custom', chatBubbleColor: '#3B82F6', chatTextColor: '#FFFFFF' },
  'PUT /api/user/password': { currentPassword: 'not the password', newPassword: password },
  'DELETE /api/user/account': { password: 'not the password' },
  'POST /api/cpx/generate-url': { userId: 'anything' },
  'POST /api/theoremreach/generate-url': { userId: 'anything' },
  'POST /api/admin/pending-earnings/:id/approve': { reviewNote: 'Looks right' },
  'POST /api/admin/pending-earnings/:id/reject': { reviewNote: 'Looks wrong' },
  'PUT /api/admin/providers/:id': {
    id: 'cpx',
    name: 'CPX',
    type: 'survey',
    url: 'https://wall.example/',
    apiKey: 'key',
    secret: 'secret of a test',
    postbackUrl: 'https://site.example/',
    isEnabled: false,
    settings: { sourceAddresses: ['203.0.113.9'], sourcePolicy: 'record', pathToken: null },
  },
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
  'POST /api/admin/rates/:currency/confirm': { usd: '80.5' },
  'PUT /api/admin/site': {
    processingTime: '1–3 business days',
    payoutDelaySeconds: 3,
    caps: { memberDay: '100000', methodDay: null, secondPersonFrom: null },
    rateBounds: { differencePercent: 2, jumpPercent: 15 },
    switches: { addressHold: false },
  },
  'PUT /api/admin/payment-methods/:method': {
    method: 'litecoin',
    isEnabled: false,
    credentials: { rpcUser: 'user', rpcPassword: 'password', rpcHost: '127.0.0.1', rpcPort: 9332 },
    settings: { minimumAmount: 1000, maximumAmount: 5000, processingFee: 0 },
  },
  'POST /api/support/tickets': { subject: 'A question', message: 'Where are my points?' },
  'POST /api/admin/support/tickets/:id/respond': { response: 'Here they are.', status: 'resolved' },
  'POST /api/admin/support-tickets/:id/respond': { response: 'Here they are.' },
  'PATCH /api/admin/support/tickets/:id/status': { status: 'closed' },
  'PATCH /api/admin/support-tickets/:id/status': { status: 'closed' },
};
