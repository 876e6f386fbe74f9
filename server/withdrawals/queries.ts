import { json, type Reader, type Sql, sql, type Tx } from '#platform/database.ts';
import type { CoinInput, Payment } from './rails/rail.ts';

/** SQL of withdrawals, one function per statement. What moves points is in `functions.sql`. */

export type WithdrawalState = 'pending' | 'approved' | 'rejected';
export type PayoutState = 'queued' | 'signed' | 'broadcast' | 'confirmed' | 'parked' | 'failed';

export type Requested = {
  status:
    | 'requested'
    | 'exists'
    | 'exists_different'
    | 'limit_reached'
    | 'insufficient'
    | 'closed'
    | 'unknown_member';
  id: string | null;
  state: WithdrawalState | null;
  created_at: Date | null;
  decided_at: Date | null;
  balance: bigint | null;
};

export const insertWithdrawal = (
  tx: Tx,
  request: {
    memberId: number;
    requestKey: string | null;
    method: string;
    address: string;
    amountPoints: bigint;
    feePoints: bigint;
    dayLimit: number;
    description: string;
  },
) =>
  tx.one<Requested>(sql`
    select * from withdrawals.request(${request.memberId}, ${request.requestKey}, ${request.method},
      ${request.address}, ${request.amountPoints}, ${request.feePoints}, ${request.dayLimit}, ${request.description})`);

/** Whole seconds from a moment to the site day after its own. */
export const readSecondsToNextDay = (reader: Reader, moment: Date) =>
  reader.one<{ seconds: number }>(sql`
    select ceil(extract(epoch from
      (platform.site_day(at) + 1)::timestamp at time zone c.site_timezone - at))::integer as seconds
    from platform.clock c, (select ${moment}::timestamptz as at) m`);

export type MemberWithdrawal = {
  id: string;
  method: string;
  state: WithdrawalState;
  amount_points: bigint;
  created_at: Date;
  decided_at: Date | null;
  address: string;
  transaction_id: string | null;
  is_confirmed: boolean;
  reason: string | null;
};

export const countOfMember = (reader: Reader, memberId: number) =>
  reader.row<{ withdrawal_count: bigint }>(
    sql`select withdrawal_count from withdrawals.member_counts where member_id = ${memberId}`,
  );

/** A member's withdrawals whose number is above `after` and at most `upTo`, newest first. */
export const readNumbered = (reader: Reader, memberId: number, after: bigint, upTo: bigint) =>
  reader.rows<MemberWithdrawal>(sql`
    select w.id, w.method, w.state, w.amount_points, w.created_at, w.decided_at, w.address, w.reason,
      case when p.broadcast_at is not null and p.state <> 'failed' then p.transaction_id end as transaction_id,
      coalesce(p.state = 'confirmed', false) as is_confirmed
    from withdrawals.withdrawals w left join withdrawals.payouts p on p.withdrawal_id = w.id
    where w.member_id = ${memberId} and w.member_number > ${after} and w.member_number <= ${upTo}
    order by w.member_number desc`);

export type Totals = {
  pending_count: bigint;
  pending_points: string;
  approved_count: bigint;
  rejected_count: bigint;
  paid_count: bigint;
  paid_points: string;
};

export const readTotals = (reader: Reader) =>
  reader.one<Totals>(sql`
    select pending_count, pending_points, approved_count, rejected_count, paid_count, paid_points
    from withdrawals.totals`);

export type OperatorRow = {
  id: string;
  member_id: number;
  first_name: string;
  last_name: string | null;
  email: string;
  method: string;
  state: WithdrawalState;
  amount_points: bigint;
  fee_points: bigint;
  address: string;
  coin_units: bigint | null;
  rate: string | null;
  payout_state: PayoutState | null;
  transaction_id: string | null;
  reason: string | null;
  created_at: Date;
  decided_at: Date | null;
};

const operatorColumns = sql`
  w.id, w.member_id, m.first_name, m.last_name, m.email, w.method, w.state, w.amount_points, w.fee_points, w.address,
  w.coin_units, w.rate, p.state as payout_state, p.transaction_id, w.reason, w.created_at, w.decided_at`;
const operatorTables = sql`
  withdrawals.withdrawals w
  join members.members m on m.id = w.member_id
  left join withdrawals.payouts p on p.withdrawal_id = w.id`;

export const findWithdrawal = (reader: Reader, id: string) =>
  reader.row<OperatorRow>(sql`select ${operatorColumns} from ${operatorTables} where w.id = ${id}`);

export type QueueOrder = 'createdAt' | '-createdAt' | 'amount' | '-amount';

const orders: Record<QueueOrder, Sql> = {
  createdAt: sql`w.queue_number`,
  '-createdAt': sql`w.queue_number desc`,
  amount: sql`w.amount_points, w.queue_number`,
  '-amount': sql`w.amount_points desc, w.queue_number desc`,
};

type QueuePage = { state: WithdrawalState | null; order: QueueOrder; offset: number; limit: number };

/** A page of the queue. The page is chosen on the index alone, the columns are fetched for its rows only. */
export const readQueuePage = (reader: Reader, page: QueuePage) =>
  reader.rows<OperatorRow>(sql`
    select ${operatorColumns} from ${operatorTables}
    where w.id in (
      select w.id from withdrawals.withdrawals w
      where ${page.state === null ? sql`true` : sql`w.state = ${page.state}`}
      order by ${orders[page.order]} limit ${page.limit} offset ${page.offset})
    order by ${orders[page.order]}`);

/** How many matches of a search are looked at. */
export const MATCHES_MAX = 10_001;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const NO_UUID = '00000000-0000-0000-0000-000000000000';

/**
 * The withdrawals in which `text` begins an address, a transaction or an e-mail, or is an id; each by its own
 * index.
 */
function matching(text: string, state: WithdrawalState | null): Sql {
  const prefix = `${text.replace(/[\\%_]/g, (character) => `\\${character}`)}%`;
  const emailPrefix = prefix.toLowerCase();
  return sql`
    select w.id, w.queue_number, w.amount_points from withdrawals.withdrawals w
    where w.id in (
      select id from withdrawals.withdrawals where address like ${prefix}
      union select id from withdrawals.withdrawals where id = ${UUID.test(text) ? text : NO_UUID}::uuid
      union select id from withdrawals.withdrawals where member_id = ${/^[1-9]\d{8}$/.test(text) ? Number(text) : 0}
      union select withdrawal_id from withdrawals.payouts where transaction_id = ${text.toLowerCase()}
      union select found.id from members.members m join withdrawals.withdrawals found on found.member_id = m.id
        where m.email like ${emailPrefix})
      and ${state === null ? sql`true` : sql`w.state = ${state}`}
    limit ${MATCHES_MAX}`;
}

export const searchQueue = (reader: Reader, text: string, page: QueuePage) =>
  reader.rows<OperatorRow>(sql`
    select ${operatorColumns} from ${operatorTables}
    where w.id in (select w.id from (${matching(text, page.state)}) w
      order by ${orders[page.order]} limit ${page.limit} offset ${page.offset})
    order by ${orders[page.order]}`);

export const countMatches = (reader: Reader, text: string, state: WithdrawalState | null) =>
  reader.one<{ count: bigint }>(sql`select count(*) as count from (${matching(text, state)}) as found`);

/** Pending withdrawals after a place in the queue, oldest first, for a decision on all of them. */
export const readPendingAfter = (reader: Reader, after: bigint, upTo: bigint, limit: number) =>
  reader.rows<{ id: string; queue_number: bigint }>(sql`
    select id, queue_number from withdrawals.withdrawals
    where state = 'pending' and queue_number > ${after} and queue_number <= ${upTo}
    order by queue_number limit ${limit}`);

export const readNewestPending = (reader: Reader) =>
  reader.row<{ queue_number: bigint }>(sql`
    select queue_number from withdrawals.withdrawals where state = 'pending' order by queue_number desc limit 1`);

export type Decided = {
  status: 'approved' | 'rejected' | 'not_found' | 'decided';
  state: WithdrawalState | null;
};

export const approve = (tx: Tx, id: string, operatorId: number, rate: string, coinUnits: bigint) =>
  tx.one<Decided>(
    sql`select status, state from withdrawals.approve(${id}, ${operatorId}, ${rate}::numeric, ${coinUnits})`,
  );

export type Returned = { member_id: number | null; balance: bigint | null };

export const reject = (tx: Tx, id: string, operatorId: number, reason: string, description: string) =>
  tx.one<Decided & Returned>(
    sql`select * from withdrawals.reject(${id}, ${operatorId}, ${reason}, ${description})`,
  );

export type Payout = {
  withdrawal_id: string;
  method: string;
  address: string;
  coin_units: bigint;
  state: PayoutState;
  transaction_id: string | null;
  bytes_hex: string | null;
  inputs: CoinInput[] | null;
  signed_after_block: string | null;
  attempt_count: number;
};

const payoutColumns = sql`
  withdrawal_id, method, address, coin_units, state, transaction_id, bytes_hex, inputs, signed_after_block,
  attempt_count`;
const isUnfinished = sql`state in ('queued', 'signed', 'broadcast', 'parked')`;

export const readDueMethods = (reader: Reader) =>
  reader.rows<{ method: string }>(sql`
    select distinct method from withdrawals.payouts
    where ${isUnfinished} and due_at <= platform.business_now()`);

/** Payouts to look at now, oldest first. */
export const readDuePayouts = (reader: Reader, method: string, limit: number) =>
  reader.rows<Payout>(sql`
    select ${payoutColumns} from withdrawals.payouts
    where method = ${method} and ${isUnfinished} and due_at <= platform.business_now()
    order by due_at, queued_at, withdrawal_id limit ${limit}`);

export const findPayout = (reader: Reader, id: string) =>
  reader.row<Payout>(sql`select ${payoutColumns} from withdrawals.payouts where withdrawal_id = ${id}`);

/** The coins of payments that are signed and may not be in the node's memory: no other payment may take them. */
export const readReservedInputs = (reader: Reader, method: string) =>
  reader.rows<{ inputs: CoinInput[] }>(sql`
    select inputs from withdrawals.payouts where method = ${method} and state in ('signed', 'parked')`);

export const storeSigned = (
  reader: Reader,
  id: string,
  signed: {
    transactionId: string;
    bytesHex: string;
    inputs: readonly CoinInput[];
    networkFee: string;
    afterBlock: string;
  },
) =>
  reader.row<Payout>(sql`
    update withdrawals.payouts
    set state = 'signed', transaction_id = ${signed.transactionId}, bytes_hex = ${signed.bytesHex},
      inputs = ${json(signed.inputs)}::jsonb, network_fee = ${signed.networkFee},
      signed_after_block = ${signed.afterBlock}, signed_at = platform.business_now(), attempt_count = 0,
      trouble = null, due_at = platform.business_now()
    where withdrawal_id = ${id} and state = 'queued'
    returning ${payoutColumns}`);

export const markBroadcast = (reader: Reader, id: string) =>
  reader.row<Payout>(sql`
    update withdrawals.payouts
    set state = 'broadcast', broadcast_at = coalesce(broadcast_at, platform.business_now()), attempt_count = 0,
      trouble = null, due_at = platform.business_now()
    where withdrawal_id = ${id} and state in ('signed', 'parked')
    returning ${payoutColumns}`);

/** Another payment with the same coins is the payout's from now on. @returns undefined where it is another payout's */
export const adoptPayment = (reader: Reader, id: string, { transactionId, bytesHex, inputs }: Payment) =>
  reader.row<Payout>(sql`
    update withdrawals.payouts p
    set state = 'broadcast', transaction_id = ${transactionId}, bytes_hex = ${bytesHex},
      inputs = ${json(inputs)}::jsonb, broadcast_at = coalesce(broadcast_at, platform.business_now()),
      attempt_count = 0, trouble = null, due_at = platform.business_now()
    where withdrawal_id = ${id} and state = 'parked' and not exists (
      select from withdrawals.payouts other where other.method = p.method and other.transaction_id = ${transactionId})
    returning ${payoutColumns}`);

export const park = (reader: Reader, id: string, reason: string) =>
  reader.row<{ withdrawal_id: string }>(sql`
    update withdrawals.payouts
    set state = 'parked', trouble = ${reason}, attempt_count = 0,
      due_at = platform.business_now() + interval '1 second'
    where withdrawal_id = ${id} and state in ('signed', 'broadcast')
    returning withdrawal_id`);

/** Looks again after a while that doubles with every attempt, from one second to the given longest. */
export const postpone = (
  reader: Reader,
  id: string,
  note: { trouble: string | null; confirmations: number | null; longestS: number },
) =>
  reader.rows(sql`
    update withdrawals.payouts
    set trouble = ${note.trouble}, attempt_count = attempt_count + 1,
      confirmation_count = coalesce(${note.confirmations}::integer, confirmation_count),
      due_at = platform.business_now()
        + least(${note.longestS}::integer, 2 ^ least(attempt_count, 20)) * interval '1 second'
    where withdrawal_id = ${id} and ${isUnfinished}`);

export const makeDue = (reader: Reader, id: string) =>
  reader.rows(sql`
    update withdrawals.payouts set due_at = platform.business_now() where withdrawal_id = ${id} and ${isUnfinished}`);

export const failPayout = (tx: Tx, id: string, seenState: PayoutState, reason: string, description: string) =>
  tx.one<{ status: 'failed' | 'changed' } & Returned>(
    sql`select * from withdrawals.fail_payout(${id}, ${seenState}, ${reason}, ${description})`,
  );

export const confirmPayout = (tx: Tx, id: string, confirmations: number) =>
  tx.one<{ confirmed: boolean }>(
    sql`select withdrawals.confirm_payout(${id}, ${confirmations}) as confirmed`,
  );

/** How deep a payment must lie, where the operator has set it. */
export const readConfirmationsWanted = (reader: Reader) =>
  reader.row<{ wanted: number }>(sql`
    select (value #>> '{}')::integer as wanted from platform.settings where key = 'withdrawals.confirmations'`);

export type MethodRow = {
  method: string;
  name: string;
  is_enabled: boolean;
  minimum_points: bigint;
  maximum_points: bigint;
  fee_points: bigint;
  rpc_host: string | null;
  rpc_port: number | null;
  sealed_rpc_user: string | null;
  sealed_rpc_password: string | null;
};

const methodColumns = sql`
  method, name, is_enabled, minimum_points, maximum_points, fee_points, rpc_host, rpc_port, sealed_rpc_user,
  sealed_rpc_password`;

export const readMethodRows = (reader: Reader) =>
  reader.rows<MethodRow>(sql`select ${methodColumns} from withdrawals.methods order by position`);

export const findMethod = (reader: Reader, method: string) =>
  reader.row<MethodRow>(sql`select ${methodColumns} from withdrawals.methods where method = ${method}`);

export const lockMethod = (tx: Tx, method: string) =>
  tx.row<MethodRow>(
    sql`select ${methodColumns} from withdrawals.methods where method = ${method} for no key update`,
  );

export const updateMethod = (tx: Tx, row: MethodRow) =>
  tx.rows(sql`
    update withdrawals.methods
    set is_enabled = ${row.is_enabled}, minimum_points = ${row.minimum_points}, maximum_points = ${row.maximum_points},
      fee_points = ${row.fee_points}, rpc_host = ${row.rpc_host}, rpc_port = ${row.rpc_port},
      sealed_rpc_user = ${row.sealed_rpc_user}, sealed_rpc_password = ${row.sealed_rpc_password}
    where method = ${row.method}`);

export const saveRate = (reader: Reader, coin: string, usd: string) =>
  reader.rows(sql`
    insert into withdrawals.rates (coin, usd, fetched_at) values (${coin}, ${usd}::numeric, platform.business_now())
    on conflict (coin) do update set usd = excluded.usd, fetched_at = excluded.fetched_at`);

/** A coin's rate and its age, where there is one. */
export const findRate = (reader: Reader, coin: string) =>
  reader.row<{ usd: string; fetched_at: Date; age_s: number }>(sql`
    select usd::text as usd, fetched_at,
      extract(epoch from platform.business_now() - fetched_at)::double precision as age_s
    from withdrawals.rates where coin = ${coin}`);
