import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { optionalText, points, REASON_MAX, rowId, text, time } from './fields.ts';
import { operatorList } from './operator-list.ts';

/** Every call of a provider, with its raw request and what became of it. */

/** `nothing`: a test, a screen-out without points, a status without a meaning. */
export const outcomes = ['booked', 'held', 'quarantined', 'repeated', 'refused', 'nothing'] as const;

/** The steps of a call, in their order. A step after a failed one is not reached. */
export const stepNames = [
  'route',
  'source',
  'signature',
  'translation',
  'member',
  'duplicate',
  'movement',
] as const;
/** `noted`: the call goes on, but not to a balance. */
export const stepStates = ['passed', 'noted', 'failed', 'notReached'] as const;

const step = z.object({ name: z.enum(stepNames), state: z.enum(stepStates) });
export type Step = z.infer<typeof step>;

/** The verdicts of a replay that changes something. */
export const replayVerdicts = ['credited', 'held', 'quarantined', 'reversed', 'hold-rejected'] as const;
export type ReplayVerdict = (typeof replayVerdicts)[number];

const signature = z.object({
  algorithm: z.enum(['md5', 'sha1', 'sha256']),
  /** The text that was signed, with its secrets cut. After an `md5` text follows the secret. */
  text: z.string(),
  bytes: z.number(),
  /** The beginnings of the received signature and of ours; empty if there is none. */
  received: z.string(),
  ours: z.string(),
  /** Whose the received signature is today: `former` is the secret before the current one, also after its time. */
  matches: z.enum(['current', 'former', 'none']),
});

export const postback = z.object({
  id: z.string(),
  at: time,
  provider: z.string(),
  providerName: z.string(),
  /** As the call says; null if it can't be read. Of a refused call nobody has verified it. */
  txId: z.string().nullable(),
  kind: z.enum(['credit', 'reversal', 'nothing']).nullable(),
  memberId: z.string().nullable(),
  /** Null if no member has the id. */
  memberName: z.string().nullable(),
  /** Null if the call names no amount. */
  amount: points.nullable(),
  address: z.string(),
  verdict: z.string(),
  outcome: z.enum(outcomes),
  /** Why it was refused; empty for others. */
  detail: z.string(),
  /** The request, with its secrets cut. */
  raw: z.string(),
  /** Only the beginning of the request is stored. */
  isCut: z.boolean(),
  steps: z.array(step),
  /** By the provider's settings of today; null if it has no adapter. */
  signature: signature.nullable(),
  /** The held earning that waits for a decision; null if none waits. */
  heldId: z.string().nullable(),
  /** The call in quarantine that waits for a resolution; null if none waits. */
  quarantineId: z.string().nullable(),
  replay: z.object({ at: time, operatorEmail: z.string(), verdict: z.string() }).nullable(),
});
export type Postback = z.infer<typeof postback>;

export const readPostbacks = operatorList({
  path: '/api/admin/postbacks',
  summary: 'Calls of providers, newest first',
  topic: 'postbacks',
  row: postback,
  csvRow: postback.omit({ raw: true, steps: true, signature: true, replay: true }),
  sorts: ['at'],
  defaultSort: '-at',
  filters: {
    outcome: { kind: 'choice', choices: outcomes },
    /** Without an outcome, or with `booked`, only the newest calls are looked at. */
    provider: { kind: 'id' },
  },
  searches: ['id', 'userId', 'txId'],
});

/** Among how many of the newest calls a provider's booked ones are looked for. */
export const PROVIDER_CALLS_MAX = 50_000;

export const readPostbackStats = endpoint({
  method: 'GET',
  path: '/api/admin/postbacks/stats',
  summary:
    'Calls of this site day by outcome, the last one, and providers whose calls are refused for their signature',
  access: 'operator',
  topic: 'postbacks',
  reply: z.object({
    today: z.number(),
    booked: z.number(),
    bookedAmount: points,
    refused: z.number(),
    held: z.number(),
    repeated: z.number(),
    /** What waits in quarantine, of all days; counted up to 1,000. */
    quarantined: z.number(),
    lastAt: time.nullable(),
    /** Providers whose newest calls were all refused for their signature. */
    wronglySigned: z.array(
      z.object({
        provider: z.string(),
        providerName: z.string(),
        /** At most 100. */
        count: z.number(),
        since: time,
        /** Which secret fits the newest of them today. */
        matches: z.enum(['current', 'former', 'none']),
      }),
    ),
  }),
});

export type PostbackStats = z.infer<typeof readPostbackStats.reply>;

const outcomeOfReplay = z.object({
  verdict: z.string(),
  steps: z.array(step),
  detail: z.string(),
  /** Which secret the signature fits. */
  matches: z.enum(['current', 'former', 'none']),
  memberId: z.string().nullable(),
  memberName: z.string().nullable(),
  /** What the balance changes by, or what is held or quarantined; null if nothing is. */
  amount: points.nullable(),
  /** Whether booking it changes something. */
  isBookable: z.boolean(),
});
export type ReplayOutcome = z.infer<typeof outcomeOfReplay>;

export const replayPostback = endpoint({
  method: 'POST',
  path: '/api/admin/postbacks/:id/replay',
  summary: 'Book a stored call by the settings of today, or only say what would happen',
  access: 'operator',
  act: 'postback.replay',
  refreshes: ['postbacks', 'quarantine', 'chargebacks', 'approvals', 'members'],
  params: z.object({ id: rowId }),
  query: z.object({ dryRun: z.enum(['true', 'false']).default('false') }),
  /** A dry run needs none of it, and may have no body. */
  body: z
    .strictObject({
      /** Needed unless it is a dry run, as the verdict is. */
      reason: text(REASON_MAX, 'Please provide a reason').optional(),
      /** What the dry run said, without what was null. Another outcome by now is refused. */
      verdict: z.enum(replayVerdicts).optional(),
      memberId: optionalText(200).optional(),
      amount: points.optional(),
    })
    .optional(),
  reply: outcomeOfReplay,
  refusals: ['not-found', 'already-decided', 'own-request', 'outcome-changed'],
});
