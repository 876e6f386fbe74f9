import { z } from 'zod';

/** Shapes that several features share: points, times, ids, text and pages. */

/** What a text of people may not have: a terminal obeys control characters, and half a character can't be stored. */
export const CONTROL_FAULT = 'Control characters are not allowed';
export const HALF_FAULT = 'Half a character, such as half an emoji, is not allowed';
const NUL = String.fromCharCode(0);
const control = /[^\P{Cc}\n\t]/u;
const controlOrBreak = /\p{Cc}/u;

export const isWhole = (value: string): boolean => value.isWellFormed();
/** Whether a text has no control character but newline and tab. */
export const hasNoControl = (value: string): boolean => !control.test(value);
/** Whether a text is one line without a tab, too. */
export const isLine = (value: string): boolean => !controlOrBreak.test(value);

/** A typed text, trimmed, in which a line ends with a newline alone. */
const typed = (message?: string) =>
  z
    .string(message === undefined ? undefined : whenMissing(message))
    .refine(isWhole, HALF_FAULT)
    .transform((value) => value.replaceAll('\r\n', '\n').trim())
    .refine(hasNoControl, CONTROL_FAULT);

/** Sets the message for a missing text. A value of another type keeps the default message. */
export const whenMissing = (message: string) => ({
  error: ({ input }: { input?: unknown }) => (input === undefined ? message : undefined),
});

/** The message for a value that has no named fields. */
export const whenNoRecord = {
  error: ({ code }: { code?: string }) => (code === 'invalid_type' ? 'Must be an object' : undefined),
};

/** Trimmed text of 1 to `lengthMax` characters, without control characters but newline and tab. */
export const text = (lengthMax: number, message = 'Required') =>
  typed(message).pipe(z.string().min(1, message).max(lengthMax, `At most ${lengthMax} characters`));

/** The longest reason or note of an operator's act. */
export const REASON_MAX = 500;
export const reason = text(REASON_MAX, 'Reason is required');

/** Like `text`, but may be blank. */
export const optionalText = (lengthMax: number) =>
  typed().pipe(z.string().max(lengthMax, `At most ${lengthMax} characters`));

/** What a program reports of itself, such as a browser. Nobody types it, so nobody could mend a control character. */
export const reportedText = (lengthMax: number) =>
  z
    .string()
    .refine(isWhole, HALF_FAULT)
    .refine((value) => !value.includes(NUL), CONTROL_FAULT)
    .transform((value) => value.trim())
    .pipe(z.string().max(lengthMax, `At most ${lengthMax} characters`));

/** Points on the wire: a decimal string, signed, without plus or leading zeros. */
export const points = z.string().regex(/^(0|-?[1-9]\d{0,18})$/, 'Invalid amount');

/** Points of a request: positive, at most 15 digits. */
export const positivePoints = z.string().regex(/^[1-9]\d{0,14}$/, 'Invalid amount');

/** A time on the wire: ISO 8601 in UTC. */
export const time = z.string();

const WRONG_YEAR = 'Must be in the years from 1970 to 9999';
/** PostgreSQL has no year 0, and from year 10000 on a time has another form. */
const isInKnownYears = (value: string): boolean => {
  const year = new Date(value).getUTCFullYear();
  return year >= 1970 && year <= 9999;
};

/** A time of a request: ISO 8601 with its offset. A rule behind it says whether it may be past. */
export const givenTime = z.iso
  .datetime({ offset: true, error: 'Must be a time' })
  .refine(isInKnownYears, WRONG_YEAR);

/** A day of a request: YYYY-MM-DD. */
export const givenDay = z.iso.date('Must be a day such as 2026-07-31').refine(isInKnownYears, WRONG_YEAR);

/** A site day: YYYY-MM-DD. */
export const siteDay = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);

/** A member's id. `earning.member_of` has the same form in SQL; a test compares. */
export const MEMBER_ID = /^[1-9]\d{8}$/;
export const memberId = z.string().regex(MEMBER_ID);
export const uuid = z.string().regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
export const rowId = z.string().regex(/^[1-9]\d{0,17}$/);

/** A whole number from 1 in a query. */
export const wholeNumber = (max: number) =>
  z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'Must be a whole number from 1')
    .transform(Number)
    .pipe(z.number().max(max, `At most ${max}`));

/** `?page&limit` of a member's list. */
export const memberPageQuery = z.object({
  page: wholeNumber(999_999_999).default(1),
  limit: wholeNumber(100).default(10),
});

export const pagination = z.object({
  page: z.number(),
  totalPages: z.number(),
  totalCount: z.number(),
  limit: z.number(),
});

export const pageOf = <T extends z.ZodType>(row: T) => z.object({ data: z.array(row), pagination });

/**
 * Counts the fields of an object, or the items of an array, before `schema` checks each of them. Thousands of wrong
 * fields would cost the server a tenth of a second.
 */
export const atMost = <S extends z.ZodType>(countMax: number, schema: S) =>
  z.preprocess((value, context) => {
    if (typeof value !== 'object' || value === null || Object.keys(value).length <= countMax) return value;
    context.addIssue({ code: 'custom', message: `Too many ${Array.isArray(value) ? 'items' : 'fields'}` });
    return z.NEVER;
  }, schema);
