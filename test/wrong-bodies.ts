import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Endpoint } from '#contract/endpoint.ts';
import { isCampaign } from './combinations.ts';
import { takenByOperators, validBodies, wrongTimes } from './valid-bodies.ts';

/** Valid bodies with a wrong value in one field, for every field of every endpoint. */
type Shape = {
  type?: string;
  properties?: Record<string, Shape>;
  required?: string[];
  anyOf?: Shape[];
  oneOf?: Shape[];
};
export const shapeOf = (endpoint: Endpoint): Shape =>
  z.toJSONSchema(endpoint.body, { io: 'input', unrepresentable: 'any' }) as Shape;
// Of several kinds of a body, the last one has every field.
export const fieldsOf = (shape: Shape): string[] =>
  Object.keys((shape.anyOf?.[0] ?? shape.oneOf?.at(-1) ?? shape).properties ?? {});

export const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`;
export const bodyOf = (endpoint: Endpoint): Fields => {
  const body = validBodies[nameOf(endpoint)];
  assert.ok(body, `${nameOf(endpoint)} has no body in valid-bodies.ts`);
  return body;
};

const NUL = String.fromCharCode(0);
const ESCAPE = 'a\u001b[2Jb';
/** Values that every field refuses, except those in `takes`. */
const wrongValues: unknown[] = [
  ...[{ a: 1 }, [['x']], true, null, -1, 1.5, 2 ** 63],
  ...[`a${NUL}b`, ESCAPE, 'half an emoji \ud83d'],
];
/** Valid texts that every other kind of field refuses, as the contract says. */
const oddTexts = ['9'.repeat(400), '1e3', ' 1', '+1', '0x10', '-5', '١٢٣'];

/** Each value has its turn at least once in so many fields, and each field at least one value. */
const TURNS = wrongValues.length + oddTexts.length;

/** The wrong values that a field accepts, by endpoint and field. */
const takes: Record<string, unknown[]> = {
  'POST /api/auth/register lastName': [null],
  'POST /api/auth/register referralCode': [null],
  'POST /api/security/check-registration phoneNumber': [null],
  'POST /api/behavior/log target': [null],
  'POST /api/behavior/log metadata': [null, { a: 1 }],
  'POST /api/behavior/log sessionId': [null],
  'PUT /api/user/settings emailNotifications': [true],
  'PUT /api/user/settings notices.paid.mail': [true],
  'PUT /api/user/settings notices.paid.push': [false],
  // The session determines the member; the body's value is not read.
  'POST /api/cpx/generate-url userId': wrongValues,
  'POST /api/theoremreach/generate-url userId': wrongValues,
  'POST /api/admin/pending-earnings/:id/approve reviewNote': [null],
  'POST /api/admin/registration-reviews/:id/approve overturns': [true],
  ...takenByOperators,
  // The path determines the method; the body's value is not read.
  'PUT /api/admin/payment-methods/:method method': wrongValues.filter((value) => typeof value === 'string'),
  // A browser reports them, and nobody types them.
  ...Object.fromEntries(
    ['userAgent', 'screenResolution', 'timezone', 'language', 'platform', 'plugins', 'canvas', 'webgl'].map(
      (field) => [`POST /api/device/fingerprint ${field}`, [ESCAPE]],
    ),
  ),
  // A password that was chosen before is typed as it is.
  ...Object.fromEntries(
    [
      'POST /api/auth/login password',
      'POST /api/auth/admin/login password',
      'POST /api/auth/send-phone-verification password',
      'PUT /api/user/password currentPassword',
      'DELETE /api/user/account password',
    ].map((field) => [field, [ESCAPE]]),
  ),
  // The cells are checked line by line.
  'POST /api/admin/catalogue/import csv': [ESCAPE],
};

/** Fields that the contract leaves to the rail's own shape. The rules behind it refuse the wrong values. */
const shapedByRail = /^(PUT|POST) \/api\/admin\/payment-methods\/:method(\/test)? credentials(\.|$)/;

type Path = readonly string[];
export type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Every field of a body, including nested ones. */
const pathsOf = (body: Fields): Path[] =>
  Object.entries(body).flatMap(([field, value]) => [
    [field],
    ...(isFields(value) ? pathsOf(value).map((path) => [field, ...path]) : []),
  ]);

const valueAt = (body: Fields, [field = '', ...rest]: Path): unknown =>
  rest.length === 0 ? body[field] : valueAt(body[field] as Fields, rest);

const withValue = (body: Fields, [field = '', ...rest]: Path, value: unknown): Fields => ({
  ...body,
  [field]: rest.length === 0 ? value : withValue(body[field] as Fields, rest, value),
});

export type Wrong = { field: string; value: unknown; body: Fields; isCalled: boolean };

/**
 * Every wrong value in every field of a valid body. The contract refuses each, by the schema that `handle.ts` applies.
 * A call is made with each value and for each field, though not with each value in each field, which a campaign does.
 * What a rail's own shape refuses is always called.
 */
export function wrongOf(endpoint: Endpoint, valid: Fields, onFitting: (body: Fields) => void): Wrong[] {
  const wrong: Wrong[] = [];
  for (const [place, path] of pathsOf(valid).entries()) {
    const field = path.join('.');
    const taken = takes[`${nameOf(endpoint)} ${field}`] ?? [];
    const isTime = /^\d{4}-\d\d-\d\d/.test(String(valueAt(valid, path)));
    const isOfRail = shapedByRail.test(`${nameOf(endpoint)} ${field}`);
    for (const [turn, value] of [...wrongValues, ...oddTexts, ...(isTime ? wrongTimes : [])].entries()) {
      const body = withValue(valid, path, value);
      const isRefused = !endpoint.body.safeParse(body).success;
      const mayFit = oddTexts.includes(value as string) || taken.some((one) => isDeepStrictEqual(one, value));
      if (mayFit && !isRefused) {
        onFitting(body);
        continue;
      }
      assert.ok(
        isRefused || isOfRail,
        `${field} = ${JSON.stringify(value).slice(0, 40)}: the contract takes it`,
      );
      const isTurn = (turn - place) % Math.min(pathsOf(valid).length, TURNS) === 0;
      wrong.push({ field, value, body, isCalled: isOfRail || isTurn || isCampaign });
    }
  }
  return wrong;
}
