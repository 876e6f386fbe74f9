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

/** Questions whether a person may register, per address. The answer tells about banned mailboxes and reviews. */
export const registrationChecks: Limit = {
  name: 'registration-checks',
  max: 20,
  perS: HOUR_S,
  scaledIn: 'sandbox',
};

/** Answers that an e-mail address has an account, per asking address. Beyond them it can't register for the hour. */
export const takenAnswers: Limit = { name: 'taken-answers', max: 5, perS: HOUR_S, scaledIn: 'sandbox' };

/** Mails to the owner of an e-mail address that somebody tried to register. */
export const takenMails: Limit = { name: 'taken-mails', max: 1, perS: HOUR_S, scaledIn: 'never' };

/** Failed sign-ins per account and address. */
export const failedSignIns: Limit = { name: 'sign-ins', max: 10, perS: QUARTER_HOUR_S, scaledIn: 'never' };

/**
 * Failed sign-ins per account and browser that has signed in to it before. They count here alone, so that nobody else
 * can use up an owner's attempts.
 */
export const failedSignInsOfDevice: Limit = {
  name: 'device-sign-ins',
  max: 10,
  perS: QUARTER_HOUR_S,
  scaledIn: 'never',
};

/** Failed sign-ins per address, over all accounts. */
export const failedSignInsOfSource: Limit = {
  name: 'source-sign-ins',
  max: 100,
  perS: QUARTER_HOUR_S,
  scaledIn: 'never',
};

/** Failed sign-ins per account, over all addresses. Beyond them a captcha is asked; nobody is locked out. */
export const failedSignInsOfAccount: Limit = {
  name: 'account-sign-ins',
  max: 50,
  perS: QUARTER_HOUR_S,
  scaledIn: 'never',
};

/** Wrong passwords of a signed-in member, when an act asks for the own password. */
export const ownPasswordChecks: Limit = {
  name: 'own-passwords',
  max: 10,
  perS: QUARTER_HOUR_S,
  scaledIn: 'never',
};

/** Keys entered at the operators' gate, per address. */
export const gateTries: Limit = { name: 'gate', max: 10, perS: QUARTER_HOUR_S, scaledIn: 'never' };

/** Codes by text message, per member and per address. */
export const phoneCodes: Limit = { name: 'codes', max: 5, perS: HOUR_S, scaledIn: 'sandbox' };
export const phoneCodesOfSource: Limit = { name: 'source-codes', max: 30, perS: HOUR_S, scaledIn: 'sandbox' };

/**
 * Codes to one number, by all members. Beyond them a member still gets the first two of an hour, so that strangers
 * can't use up the owner's.
 */
export const phoneCodesOfNumber: Limit = {
  name: 'number-codes',
  max: 20,
  perS: HOUR_S,
  scaledIn: 'sandbox',
};

/** Numbers given for a code, because the answer says whether another member has the number: per member and address. */
export const phoneNumbers: Limit = { name: 'phone-numbers', max: 20, perS: HOUR_S, scaledIn: 'sandbox' };
export const phoneNumbersOfSource: Limit = {
  name: 'source-phone-numbers',
  max: 100,
  perS: HOUR_S,
  scaledIn: 'sandbox',
};

/** Mails that anybody can request, per mailbox and per requesting address. */
export const mailsToMailbox: Limit = { name: 'mails', max: 5, perS: HOUR_S, scaledIn: 'sandbox' };
export const mailsFromAddress: Limit = {
  name: 'mail-addresses',
  max: 20,
  perS: HOUR_S,
  scaledIn: 'sandbox',
};

/** Links "this was not me" that are not valid, per address. Good ones do not count. */
export const badDenials: Limit = { name: 'bad-denials', max: 20, perS: HOUR_S, scaledIn: 'never' };

/** Fingerprints per member or visitor's address. Each one may be stored. */
export const fingerprints: Limit = { name: 'fingerprints', max: 120, perS: HOUR_S, scaledIn: 'sandbox' };
