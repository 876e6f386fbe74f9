import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { reason, rowId, text, time } from './fields.ts';
import { operatorList } from './operator-list.ts';

/** Risk: network addresses and e-mail domains that operators block. */

export const blockKinds = ['ip', 'domain'] as const;
export type BlockKind = (typeof blockKinds)[number];
export const blockDurations = ['1day', '7days', 'permanent'] as const;
export type BlockDuration = (typeof blockDurations)[number];

export const block = z.object({
  id: z.string(),
  kind: z.enum(blockKinds),
  /** An IPv4 address, the /64 of an IPv6 address, or a domain, whose subdomains are blocked as well. */
  value: z.string(),
  reason: z.string(),
  /** Null: it ends when it is lifted. */
  expiresAt: time.nullable(),
  createdAt: time,
  isActive: z.boolean(),
  /** The name of the operator who blocked it; null if the account is gone. */
  createdBy: z.string().nullable(),
});
export type Block = z.infer<typeof block>;

export const readBlocks = operatorList({
  path: '/api/admin/fraud/blocks',
  summary: 'Blocked network addresses and e-mail domains, newest first',
  topic: 'blocks',
  row: block,
  sorts: ['createdAt'],
  defaultSort: '-createdAt',
  filters: {
    kind: { kind: 'choice', choices: blockKinds },
    state: { kind: 'choice', choices: ['active', 'inactive'] },
  },
  searches: ['id', 'value'],
});

const duration = z.enum(blockDurations).default('permanent');

export const blockAddress = endpoint({
  method: 'POST',
  path: '/api/admin/fraud/block-ip',
  summary: 'Refuse every call of a network address but webhooks and health; of an IPv6 address, its /64',
  access: 'operator',
  act: 'risk.block',
  refreshes: ['blocks'],
  body: z.strictObject({ ipAddress: text(45, 'IP address is required'), reason, duration }),
  status: 201,
  reply: block,
  refusals: ['already-exists', 'own-address'],
});

export const blockDomain = endpoint({
  method: 'POST',
  path: '/api/admin/fraud/block-domain',
  summary: 'Refuse registrations with e-mail addresses of a domain and its subdomains',
  access: 'operator',
  act: 'risk.block',
  refreshes: ['blocks'],
  body: z.strictObject({ domain: text(253, 'Domain is required'), reason, duration }),
  status: 201,
  reply: block,
  refusals: ['already-exists'],
});

export const liftBlock = endpoint({
  method: 'DELETE',
  path: '/api/admin/fraud/blocks/:id',
  summary: 'Lift a block',
  access: 'operator',
  act: 'risk.lift-block',
  refreshes: ['blocks'],
  params: z.object({ id: rowId }),
  status: 204,
  reply: z.null(),
  refusals: ['not-found', 'already-decided'],
});
