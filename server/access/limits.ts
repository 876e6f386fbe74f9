import type { Limit } from '#platform/http/limits.ts';

/** How often the ways in may be used. Routes count these before anything is told, sent or stored. */

const HOUR_S = 3_600;
const QUARTER_HOUR_S = 900;

/** Per address. Google's way in counts it only where it makes an account. */
export const registrations: Limit = {
  name: 'registrations',
  max: 10,
  perS: HOUR_S,
  scaledIn: 'live-and-sandbox',
};

/** Failed tries at a password per account: signing in, and members who are asked for their own. */
export const failedSignIns: Limit = { name: 'sign-ins', max: 10, perS: QUARTER_HOUR_S, scaledIn: 'never' };

/** Keys typed at the operators' gate per address. */
export const gateTries: Limit = { name: 'gate', max: 10, perS: QUARTER_HOUR_S, scaledIn: 'never' };

/** Per member, and per number. */
export const phoneCodes: Limit = { name: 'codes', max: 5, perS: HOUR_S, scaledIn: 'sandbox' };

/** Mails that anybody can ask for, per mailbox and per address that asks. */
export const mailsToMailbox: Limit = { name: 'mails', max: 5, perS: HOUR_S, scaledIn: 'sandbox' };
export const mailsFromAddress: Limit = {
  name: 'mail-addresses',
  max: 20,
  perS: HOUR_S,
  scaledIn: 'sandbox',
};

/** Per member, or address of a visitor: each fingerprint may be stored. */
export const fingerprints: Limit = { name: 'fingerprints', max: 120, perS: HOUR_S, scaledIn: 'sandbox' };
