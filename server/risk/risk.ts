import type { Block, BlockDuration } from '#contract/risk.ts';
import { recordActs } from '#platform/audit-trail.ts';
import type { Reader } from '#platform/database.ts';
import { InvalidRequest } from '#platform/http/problem.ts';
import type { Platform } from '#platform/platform.ts';
import { refuse } from '#platform/refusal.ts';
import { blockOf } from './block-list.ts';
import { domainOf, sourceOf } from './blocked-values.ts';
import * as queries from './queries.ts';

/**
 * Risk: what operators block. A blocked network address is refused every call but webhooks and health
 * (`kept-blocks.ts`); a blocked domain stops registrations, and nothing of those who have an account.
 *
 * Invariants: a value has at most one block that is active. A block never changes but by its end, and its row stays.
 * Nobody blocks the address from which they call, nor one from which an operator is signed in.
 */

/** Reads the addresses from which operators are signed in. */
export type ReadOperatorAddresses = (reader: Reader) => Promise<readonly string[]>;

type Parts = Pick<Platform, 'database'>;
type Asked = { reason: string; duration: BlockDuration };

/**
 * Blocks a network address.
 * @throws InvalidRequest for what is no address; Refusal `own-address`, `already-exists`
 */
export async function blockAddress(
  platform: Parts,
  caller: { id: number; address: string },
  readOperatorAddresses: ReadOperatorAddresses,
  { ipAddress, ...asked }: Asked & { ipAddress: string },
): Promise<Block> {
  const value = sourceOf(ipAddress);
  if (value === undefined)
    throw new InvalidRequest([{ path: 'ipAddress', message: 'Must be an IPv4 or IPv6 address' }]);
  if (value === sourceOf(caller.address)) throw refuse('own-address');
  const operators = await readOperatorAddresses(platform.database);
  if (operators.some((address) => sourceOf(address) === value))
    throw refuse('own-address', 'An operator is signed in from this address. It can’t be blocked.');
  return addBlock(platform, { kind: 'ip', value, operatorId: caller.id, ...asked });
}

/**
 * Blocks a domain with its subdomains.
 * @throws InvalidRequest for what is no domain; Refusal `already-exists`
 */
export async function blockDomain(
  platform: Parts,
  operatorId: number,
  { domain, ...asked }: Asked & { domain: string },
): Promise<Block> {
  const value = domainOf(domain);
  if (value === undefined)
    throw new InvalidRequest([{ path: 'domain', message: 'Must be a domain, like tempmail.example' }]);
  return addBlock(platform, { kind: 'domain', value, operatorId, ...asked });
}

const addBlock = ({ database }: Parts, asked: queries.NewBlock): Promise<Block> =>
  database.transaction(async (tx) => {
    await queries.endExpired(tx, asked.kind, asked.value);
    const added = await queries.insertBlock(tx, asked);
    if (added === undefined) throw refuse('already-exists', `${asked.value} is blocked already.`);
    const { kind, value, reason, operatorId: actor } = asked;
    const target = { kind: 'block', id: String(added.id) } as const;
    const after = { kind, value, expiresAt: added.expiresAt?.toISOString() ?? null };
    await recordActs(tx, [{ actor, act: 'risk.block', target, reason, after }]);
    const row = await queries.findBlock(tx, added.id);
    if (row === undefined) throw new Error('The block that was added is not there');
    return blockOf(row);
  });

/**
 * Lifts a block, once. Its row stays.
 * @throws Refusal `not-found`, `already-decided` if it was lifted or its time has passed
 */
export const liftBlock = ({ database }: Parts, operatorId: number, id: bigint): Promise<void> =>
  database.transaction(async (tx) => {
    const lifted = await queries.liftBlock(tx, id, operatorId);
    if (lifted === undefined) {
      const isKnown = (await queries.findBlock(tx, id)) !== undefined;
      throw isKnown ? refuse('already-decided', 'This block has ended already.') : refuse('not-found');
    }
    const target = { kind: 'block', id: String(id) } as const;
    await recordActs(tx, [{ actor: operatorId, act: 'risk.lift-block', target, before: lifted }]);
  });
