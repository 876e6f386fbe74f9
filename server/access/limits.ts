import type { Limit } from '#platform/http/limits.ts';

/** The limits on access. They are counted before anything is answered, sent or stored. */

const HOUR_S = 3_600;
const QUARTER_HOUR_S = 900;

/** Per address. A sign-in with Google counts only if it makes an account. */
export const registrations: Limit = {
  name: 'registrations',
  max: 10,
  perS: HOUR_S,
  scaledIn: 'live-and-sandbox',
};

/** Failed attempts at a password per account: at signing in, and when members confirm their password. */
export const failedSignIns: Limit = { name: 'sign-ins', max: 10, perS: QUARTER_HOUR_S, scaledIn: 'never' };

/** Keys entered at the operators' gate, per address. */
export const gateTries: Limit = { name: 'gate', max: 10, perS: QUARTER_HOUR_S, scaledIn: 'never' };

/** Codes by text message, per member and per number. Counted for free numbers only. */
export const phoneCodes: Limit = { name: 'codes', max: 5, perS: HOUR_S, scaledIn: 'sandbox' };

/** Numbers given for a code, per member, because the answer says whether another member has the number. */
export const phoneNumbers: Limit = { name: 'phone-numbers', max: 20, perS: HOUR_S, scaledIn: 'sandbox' };

/** Mails that anybody can request, per mailbox and per requesting address. */
export const mailsToMailbox: Limit = { name: 'mails', max: 5, perS: HOUR_S, scaledIn: 'sandbox' };
export const mailsFromAddress: Limit = {
  name: 'mail-addresses',
  max: 20,
  perS: HOUR_S,
  scaledIn: 'sandbox',
};

/** Fingerprints per member or visitor's address. Each one may be stored. */
export const fingerprints: Limit = { name: 'fingerprints', max: 120, perS: HOUR_S, scaledIn: 'sandbox' };
