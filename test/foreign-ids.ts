import assert from 'node:assert/strict';
import { z } from 'zod';
import type { Endpoint } from '#contract/endpoint.ts';
import { sql } from '#platform/database.ts';
import { openSession } from '../server/access/sessions.ts';
import type { Answer, Person, Site } from './site.ts';
import { validBodies } from './valid-bodies.ts';

/** The inputs of members' endpoints that name one thing, each with a thing of somebody else. */

/** An input of an endpoint: a parameter of the path, a parameter of the query, or a field of the body. */
export type Input = { endpoint: Endpoint; place: 'params' | 'query' | 'body'; field: string };

export const inputName = ({ endpoint: { method, path }, field }: Input): string =>
  `${field} of ${method} ${path}`;

function fieldsOf(schema: z.ZodType): Record<string, z.ZodType> {
  if (schema instanceof z.ZodObject) return schema.shape;
  if (schema instanceof z.ZodOptional) return fieldsOf(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodPipe) return fieldsOf(schema.out as z.ZodType);
  if (schema instanceof z.ZodUnion)
    return Object.assign({}, ...schema.options.map((one) => fieldsOf(one as z.ZodType)));
  return {};
}

const ids = ['00000000-0000-4000-8000-000000000000', '123456789', '1234567'];
/** Numbers, which have the shape of an id. */
const amounts = ['page', 'amountPoints', 'statedPoints'];

/** By its name, or because it takes an id and no other text. */
const isId = (field: string, schema: z.ZodType): boolean =>
  /(^id|Ids?)$/.test(field) ||
  (!amounts.includes(field) &&
    !schema.safeParse('two words').success &&
    ids.some((id) => schema.safeParse(id).success));

/** The inputs of an endpoint that name something by its id. */
export const idInputsOf = (endpoint: Endpoint): Input[] =>
  (['params', 'query', 'body'] as const).flatMap((place) =>
    Object.entries(fieldsOf(endpoint[place])).flatMap(([field, schema]) =>
      isId(field, schema) ? [{ endpoint, place, field }] : [],
    ),
  );

/** Calls the endpoint with this id. */
export function callWith(
  site: Pick<Site, 'call'>,
  { endpoint, place, field }: Input,
  id: string,
  as: Person,
): Promise<Answer> {
  const { method } = endpoint;
  // The general channel stands for a channel that is not the input.
  const path =
    field === 'channelId' && place === 'params' ? endpoint.path : endpoint.path.replace(':channelId', '1');
  const body = validBodies[`${method} ${endpoint.path}`];
  if (place === 'params')
    return site.call(method, path.replace(`:${field}`, id), body === undefined ? { as } : { as, body });
  if (place === 'query') return site.call(method, `${path}?${field}=${id}`, { as });
  return site.call(method, path, { as, body: { ...validBodies[`${method} ${path}`], [field]: id } });
}

/** Inputs that name nothing of a member's. */
export const ofNobody = [
  'id of POST /api/offerwalls/:id/open',
  'sessionId of POST /api/behavior/log',
  // Messages of a channel that the caller may read, which is an input of its own (`chat.test.ts`).
  'before of GET /api/chat/messages/:channelId',
  'clientId of POST /api/chat/messages',
  'channelId of POST /api/chat/channels/:channelId/read',
  'upTo of POST /api/chat/channels/:channelId/read',
  'id of POST /api/chat/messages/:id/report',
  // Everybody may be muted, and nobody learns whether there is a member with this id.
  'userId of POST /api/chat/mutes',
  'userId of DELETE /api/chat/mutes/:userId',
];

type Case = {
  /** Makes a thing of this member and returns its id. */
  make: (owner: Person) => Promise<string>;
  unknown: string;
  /** How somebody else and an unknown id are answered. */
  status: number;
  /** Operators may, too. */
  isOperators?: true;
};

const UNKNOWN_ROW = '999999999999999';
const UNKNOWN_UUID = 'ffffffff-ffff-4fff-8fff-ffffffffffff';
const ADDRESS = 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9';

/** A thing of a member for each input. `operator` takes points back. */
export function foreignIdCases(site: Site, operator: Person): Record<string, Case> {
  const made = async (as: Person, method: string, path: string, body?: unknown) => {
    const answer = await site.call(method, path, { as, ...(body === undefined ? {} : { body }) });
    assert.ok(answer.status < 300, `${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const session = async (owner: Person) => {
    await site.database.transaction((tx) => openSession(tx, owner.id, 'another browser', '127.0.0.1'));
    const sessions: { id: string; current: boolean }[] = await made(owner, 'GET', '/api/user/sessions');
    return sessions.find(({ current }) => !current)?.id ?? '';
  };
  const movement = async (owner: Person) => (await made(owner, 'GET', '/api/user/history')).data[0].id;
  const withdrawal = async (owner: Person) => {
    const body = { amountPoints: '1000', method: 'litecoin', recipientInfo: { address: ADDRESS } };
    return (await made(owner, 'POST', '/api/withdrawal', body)).id;
  };
  const address = async (owner: Person) => {
    await withdrawal(owner);
    return (await made(owner, 'GET', '/api/withdrawal/addresses'))[0].id;
  };
  const reversal = async (owner: Person) => {
    const body = { userId: String(owner.id), provider: 'cpx', amount: 5, reason: 'A test' };
    await made(operator, 'POST', '/api/admin/test-chargeback', body);
    return (await made(owner, 'GET', '/api/user/chargebacks'))[0].id;
  };
  const notice = async (owner: Person) => {
    await reversal(owner);
    return (await made(owner, 'GET', '/api/notices')).data[0].id;
  };
  const ban = async ({ id }: Person) => {
    const body = { userId: String(id), reason: 'A test' };
    return `ban-${(await made(operator, 'POST', '/api/admin/chat-bans', body)).id}`;
  };
  const ticketId = async (owner: Person) =>
    (await made(owner, 'POST', '/api/support/tickets', { subject: 'Points', message: 'Where?' })).id;
  const ticketChannel = async (owner: Person) =>
    (await made(owner, 'POST', '/api/support/tickets', { subject: 'Points', message: 'Where?' })).channelId;
  const activity = async (owner: Person) => {
    const { id } = await site.owner.one<{ id: bigint }>(sql`
      insert into earning.openings (member_id, provider, opened_at)
      values (${owner.id}, 'cpx', platform.business_now() - interval '2 days') returning id`);
    return `opening:${id}`;
  };
  const hidden = (make: Case['make'], unknown: string): Case => ({ make, unknown, status: 404 });
  /** The wall is always the caller's. */
  const ignored: Case = { make: async ({ id }) => String(id), unknown: '999999999', status: 200 };
  return {
    'id of DELETE /api/user/sessions/:id': hidden(session, UNKNOWN_UUID),
    'id of GET /api/user/history/:id': hidden(movement, UNKNOWN_ROW),
    'id of GET /api/user/chargebacks/:id': hidden(reversal, UNKNOWN_ROW),
    'id of POST /api/withdrawal/:id/cancel': hidden(withdrawal, UNKNOWN_UUID),
    'id of DELETE /api/withdrawal/addresses/:id': hidden(address, UNKNOWN_UUID),
    // Without effect for an id that is not the caller's, as the contract says.
    'containing of GET /api/withdrawal/history': { make: withdrawal, unknown: UNKNOWN_UUID, status: 200 },
    // The caller's own notices up to this one.
    'upTo of POST /api/notices/read': { make: notice, unknown: UNKNOWN_ROW, status: 204 },
    'subjectId of POST /api/support/tickets': hidden(withdrawal, UNKNOWN_UUID),
    'activityId of POST /api/support/claims': hidden(activity, 'opening:999999999999999'),
    'id of POST /api/user/decisions/:id/appeal': hidden(ban, 'ban-999999999999999'),
    'id of POST /api/support/tickets/:id/resolve': hidden(ticketId, UNKNOWN_UUID),
    'channelId of GET /api/chat/messages/:channelId': {
      ...hidden(ticketChannel, UNKNOWN_ROW),
      isOperators: true,
    },
    'channelId of POST /api/chat/messages': { ...hidden(ticketChannel, UNKNOWN_ROW), isOperators: true },
    'userId of POST /api/cpx/generate-url': ignored,
    'userId of POST /api/theoremreach/generate-url': ignored,
    'userId of GET /api/cpx/url': ignored,
  };
}
