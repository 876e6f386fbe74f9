import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Offer, WallForm } from '../earning/providers/wall.ts';
import { act, NothingToReverse, readCalls, type WallRequest, type WallSite } from './wall-calls.ts';
import { refusedWallPage, wallPage } from './wall-page.ts';
import { type SimulatedWall, walls } from './wall-registry.ts';

/**
 * The pages of the simulated companies. They are on a separate port, so that they are another origin, like real walls.
 * A page opens at the URL that the site signed for its member. Its buttons, or the same calls in JSON, send the
 * company's postbacks.
 */
export const WALL_PATH = '/sandbox/wall';

const actions = z.enum(['complete', 'screen-out', 'reverse']);

const command = z.strictObject({
  userId: z.string().regex(/^[\w-]{1,65}$/),
  offerId: z.string().max(40).optional(),
  points: z.number().int().min(0).max(1_000_000_000).optional(),
  transactionId: z
    .string()
    .regex(/^[\w-]{1,64}$/)
    .optional(),
  /** One of the company's forms of postbacks, if it has several. */
  form: z.string().max(10).optional(),
  /** The page of a wall to return to after a button. */
  back: z.string().max(500).startsWith(`${WALL_PATH}/`).optional(),
});

/** @param ancestors the origins of the site; only these may frame a wall */
export function mountWalls(listener: FastifyInstance, site: WallSite, ancestors: readonly string[]): void {
  for (const wall of walls.values())
    listener.get(`${WALL_PATH}/${wall.id}${wall.path}`, (request, reply) =>
      showWall(request, reply, { wall, site, ancestors }),
    );
  listener.post<{ Params: { provider: string; action: string } }>(
    `${WALL_PATH}/:provider/:action`,
    (request, reply) => press(request, reply, site),
  );
}

async function showWall(
  request: FastifyRequest,
  reply: FastifyReply,
  { wall, site, ancestors }: { wall: SimulatedWall; site: WallSite; ancestors: readonly string[] },
): Promise<FastifyReply> {
  const nonce = randomBytes(18).toString('base64');
  const { secret } = await site.readAccount(wall.id);
  const memberRef = wall.findVisitor(request, secret);
  reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .header('x-content-type-options', 'nosniff')
    .header('content-security-policy', policyOf(nonce, ancestors));
  if (memberRef === undefined) return reply.code(403).send(refusedWallPage(wall, nonce));
  const { done, nothing, unreached, ...address } = request.query as Record<string, string>;
  const back = `${request.url.split('?')[0]}?${new URLSearchParams(address)}`;
  const notice =
    nothing !== undefined
      ? 'There is no reward here that could be taken back.'
      : unreached !== undefined
        ? 'The site could not be reached.'
        : null;
  const calls = await readCalls(site.database, wall.id, memberRef);
  const form = formOf(wall, address.form);
  const page = { wall, memberRef, back, calls, hasActed: done !== undefined, notice, form: form ?? null };
  return reply.send(wallPage(page, nonce));
}

const policyOf = (nonce: string, ancestors: readonly string[]): string =>
  [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${ancestors.join(' ')}`,
  ].join('; ');

/** Handles a button, or its call in JSON: `{ userId, offerId?, points?, transactionId? }` → the call and its answer. */
async function press(
  request: FastifyRequest<{ Params: { provider: string; action: string } }>,
  reply: FastifyReply,
  site: WallSite,
): Promise<FastifyReply> {
  const { provider } = request.params;
  const action = actions.safeParse(request.params.action);
  const isForm = typeof request.body === 'string';
  const body = isForm ? Object.fromEntries(new URLSearchParams(request.body as string)) : request.body;
  const wall = walls.get(provider);
  if (wall === undefined || !action.success) return reply.code(404).send({ error: 'There is no such wall' });
  const given = command.safeParse(body);
  if (!given.success) return reply.code(400).send({ error: z.prettifyError(given.error) });
  if (action.data === 'screen-out' && !wall.hasScreenOuts)
    return reply.code(404).send({ error: 'This company knows no screen-outs' });
  const offer = offerOf(wall, given.data.offerId);
  if (offer === undefined) return reply.code(400).send({ error: 'There is no such offer' });
  if (given.data.form !== undefined && formOf(wall, given.data.form)?.id !== given.data.form)
    return reply.code(400).send({ error: 'This company has no such form' });

  const wanted: WallRequest = {
    action: action.data,
    memberRef: given.data.userId,
    offer,
    points: given.data.points === undefined ? null : BigInt(given.data.points),
    transactionId: given.data.transactionId ?? null,
    memberAddress: request.ip,
    form: given.data.form ?? null,
  };
  const back = given.data.back ?? `${WALL_PATH}/${provider}?`;
  try {
    const result = await act(site, wall, wanted);
    return isForm ? reply.redirect(`${back}&done=1`, 303) : reply.send(result);
  } catch (error) {
    const isNothing = error instanceof NothingToReverse;
    if (!isNothing) request.log.error({ error }, 'a simulated wall could not call the site');
    if (isForm) return reply.redirect(`${back}&${isNothing ? 'nothing' : 'unreached'}=1`, 303);
    return reply.code(isNothing ? 409 : 502).send({ error: (error as Error).message });
  }
}

/** The requested form, else the first; undefined for a company without several. */
const formOf = ({ forms }: SimulatedWall, id: string | undefined): WallForm | undefined =>
  forms.find((form) => form.id === id) ?? forms[0];

const offerOf = (wall: SimulatedWall, offerId: string | undefined): Offer | undefined =>
  offerId === undefined ? wall.offers[0] : wall.offers.find(({ id }) => id === offerId);
