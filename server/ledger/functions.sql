-- The functions of the ledger. Only they change balances.
--
-- Open to others: item, open_wallet, lock_wallet, lock_wallets, post_one, post, wallet_totals, history, account_sums,
-- sums_closed_until, closed_sums, newest_movements.
--
-- A verdict is one of: posted, exists (this movement was posted before), exists_different (its key was used for another
-- movement), unknown_member, closed, insufficient. Where several apply, the first in this list wins.
-- post_one and post follow the same rules: they lock wallets in the order of members, then look up the keys in a new
-- statement (it sees what was written while the lock was waited for), then insert once and update once. Make one call
-- per transaction: two calls may lock members in different orders.
--
-- Each connection keeps the plan of a statement. While tables are small, a sequential scan looks cheapest, and that
-- plan would stay after they grew. So such plans are disabled.

create or replace function ledger.open_wallet(member_id integer) returns void
  language sql security definer set search_path = pg_catalog, pg_temp
as $$
  insert into ledger.wallets (member_id, today)
  values (open_wallet.member_id, platform.site_day(platform.business_now()))
  on conflict do nothing
$$;
grant execute on function ledger.open_wallet(integer) to earnest_app;

-- Closes a wallet; ledger.may_enter_closed says what it still accepts.
create or replace function ledger.close_wallet(member_id integer) returns void
  language sql security definer set search_path = pg_catalog, pg_temp
as $$
  update ledger.wallets set is_closed = true where wallets.member_id = close_wallet.member_id
$$;
grant execute on function ledger.close_wallet(integer) to earnest_app;

-- Locks wallets for a transaction that reads other rows before it posts. Takes the same locks as post, in the same
-- order. Returns the locked wallets in the order of members. A member without a wallet has no row.
create or replace function ledger.lock_wallets(member_ids integer[])
  returns table (member_id integer, balance bigint, is_closed boolean)
  language plpgsql security definer set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan
  set enable_seqscan = off
as $$
#variable_conflict use_column
begin
  return query
  select w.member_id, w.balance, w.is_closed from ledger.wallets w
  where w.member_id = any (lock_wallets.member_ids) order by w.member_id for no key update;
end
$$;
grant execute on function ledger.lock_wallets(integer[]) to earnest_app;

-- Locks one wallet and returns whether it is closed; null without a wallet. It runs with the rights and the settings of
-- its caller, a function of the owner: settings of its own would cost a credit a tenth of its time.
create or replace function ledger.lock_wallet(member_id integer) returns boolean
  language plpgsql
as $$
declare
  wallet_closed boolean;
begin
  select w.is_closed into wallet_closed from ledger.wallets w
  where w.member_id = lock_wallet.member_id for no key update;
  return wallet_closed;
end
$$;

-- The day sums of a wallet after `points` were earned on `site_day`. A day before `today` is possible when the site's
-- time zone changed.
create or replace function ledger.add_to_day(
  day_sums bigint[], today date, site_day date, points bigint, out sums bigint[], out latest date
)
  language plpgsql immutable
as $$
declare
  shift integer := site_day - today;
begin
  sums := day_sums;
  latest := today;
  if shift > 0 then
    sums := case when shift < 8 then array_fill(0::bigint, array[shift]) || day_sums[1:8 - shift]
                 else array_fill(0::bigint, array[8]) end;
    latest := site_day;
    shift := 0;
  end if;
  if shift > -8 then
    sums[1 - shift] := sums[1 - shift] + points;
  end if;
end
$$;

-- Whether a movement may be written. A call with any other is a programming error. A check constraint would do the
-- same, but PostgreSQL parses its text for every statement, which halved the rate.
create or replace function ledger.is_sound(kind text, amount bigint, key text, account text, subject text)
  returns boolean
  language sql immutable
  return coalesce(
    amount between -1000000000000000 and 1000000000000000
    and case when kind in ('earning', 'bonus', 'referral', 'grant', 'coinflip-prize', 'withdrawal-return')
               then amount > 0
             when kind in ('reversal', 'coinflip-stake', 'withdrawal') then amount < 0
             else false end
    and length(key) between 1 and 300 and length(account) between 1 and 64 and length(subject) <= 500, false);

-- Whether a closed wallet accepts a movement of this kind.
create or replace function ledger.may_enter_closed(kind text) returns boolean
  language sql immutable
  return kind in ('reversal', 'withdrawal-return');

-- Whether a movement of this kind may take a balance below zero.
create or replace function ledger.may_overdraw(kind text) returns boolean
  language sql immutable
  return kind = 'reversal';

-- The points that a movement adds to the earned total, to the sum of its day and to the chart.
create or replace function ledger.earned_of(kind text, amount bigint) returns bigint
  language sql immutable
  return case when kind in ('earning', 'bonus', 'referral', 'grant') then amount else 0 end;

-- The number of completed tasks that a movement adds: 0 or 1.
create or replace function ledger.tasks_of(kind text, is_task boolean) returns integer
  language sql immutable
  return (kind = 'earning' and coalesce(is_task, false))::integer;

-- Posts one movement. Same rules as ledger.post.
create or replace function ledger.post_one(
  member_id integer, key text, kind text, amount bigint, account text, subject text,
  provider text, transaction_id text, is_task boolean,
  out status text, out seq bigint, out balance bigint
)
  language plpgsql security definer set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan
  set enable_seqscan = off
as $$
#variable_conflict use_variable
declare
  wallet record;
  known record;
  posted_at timestamptz;
  site_day date;
  earned bigint;
  tasks integer;
begin
  if not ledger.is_sound(kind, amount, key, account, subject) then
    raise exception 'unsound movement: % of % (%)', kind, amount, key using errcode = '23514';
  end if;

  select w.balance, w.movement_count, w.is_closed, w.today, w.day_sums, c.offset_seconds, c.site_timezone into wallet
  from ledger.wallets w cross join platform.site_clock c
  where w.member_id = post_one.member_id
  for no key update of w;

  balance := wallet.balance + amount;
  if wallet.balance is null then
    status := 'unknown_member';
  elsif wallet.is_closed and not ledger.may_enter_closed(kind) then
    status := 'closed'; balance := null;
  elsif balance < 0 and amount < 0 and not ledger.may_overdraw(kind) then
    status := 'insufficient'; balance := wallet.balance;
  else
    status := 'posted';
    seq := wallet.movement_count + 1;
    posted_at := platform.business_time(wallet.offset_seconds);
    site_day := platform.day_in(wallet.site_timezone, posted_at);
    earned := ledger.earned_of(kind, amount);
    tasks := ledger.tasks_of(kind, is_task);
    -- Finds a key that was inserted during the wait for the wallet. Waits for a transaction that is inserting the key.
    insert into ledger.movements (seq, amount, balance_after, earned_delta, posted_at, member_id, site_day,
      task_delta, kind, account, key, subject, provider, transaction_id)
    values (seq, amount, balance, earned, posted_at, member_id, site_day,
      tasks, kind, account, key, subject, provider, transaction_id)
    on conflict on constraint movements_key do nothing;
    if found then
      if earned = 0 then
        update ledger.wallets w set balance = post_one.balance, movement_count = seq
        where w.member_id = post_one.member_id;
      elsif site_day = wallet.today then
        update ledger.wallets w
        set balance = post_one.balance, movement_count = seq, earned_total = earned_total + earned,
          tasks_completed = tasks_completed + tasks, day_sums[1] = day_sums[1] + earned
        where w.member_id = post_one.member_id;
      else
        update ledger.wallets w
        set balance = post_one.balance, movement_count = seq, earned_total = earned_total + earned,
          tasks_completed = tasks_completed + tasks, today = day.latest, day_sums = day.sums
        from ledger.add_to_day(wallet.day_sums, wallet.today, site_day, earned) day
        where w.member_id = post_one.member_id;
      end if;
      return;
    end if;
  end if;

  -- The movement is refused or its key exists. `exists` and `exists_different` precede every refusal.
  select m.member_id, m.kind, m.amount, m.account, m.seq, m.balance_after into known
  from ledger.movements m where m.key = post_one.key;
  if not found then
    return;
  end if;
  if (known.member_id, known.kind, known.amount, known.account) = (member_id, kind, amount, account) then
    status := 'exists'; seq := known.seq; balance := known.balance_after;
  else
    status := 'exists_different'; seq := null; balance := null;
  end if;
end
$$;
grant execute on function ledger.post_one(integer, text, text, bigint, text, text, text, text, boolean) to earnest_app;

-- Posts many movements in their order and returns a verdict for each. Each item follows the rules of post_one, applied
-- to the balances after the items before it. In addition: a key that comes twice in one call is posted once, and the
-- later item gets the verdict of the first (exists where that was posted). Neighbours with the same link are posted
-- together or not at all: if one of them is refused, all get its verdict; if only some exist, all are exists_different.
create or replace function ledger.post(items ledger.item[])
  returns table ("position" integer, status text, seq bigint, balance bigint)
  language plpgsql security definer set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_variable
declare
  -- Per wallet, in the order of members.
  wallet_ids integer[];
  balances bigint[];
  counts bigint[];
  are_closed boolean[];
  first_counts bigint[];
  earned_sums bigint[];
  task_sums integer[];
  -- Per item.
  verdicts text[];
  seqs bigint[];
  balances_after bigint[];

  item record;
  original ledger.item;
  verdict text;
  earlier text;
  slot integer;
  link integer;
  link_start integer;
  links_done integer[];
  link_verdict text;
  posted_count integer := 0;
  changed_count integer := 0;
  written_count integer;
  posted_at timestamptz;
  site_day date;
begin
  with locked as (
    select w.member_id, w.balance, w.movement_count, w.is_closed from ledger.wallets w
    where w.member_id = any (array(select i.member_id from unnest(items) i))
    order by w.member_id for no key update
  )
  select array_agg(l.member_id), array_agg(l.balance), array_agg(l.movement_count),
    array_agg(l.is_closed), array_agg(0::bigint), array_agg(0)
  into wallet_ids, balances, counts, are_closed, earned_sums, task_sums from locked l;
  first_counts := counts;
  seqs := array_fill(null::bigint, array[cardinality(items)]);
  balances_after := seqs;

  for item in
    select i.*, array_position(wallet_ids, i.member_id) as slot, m.seq as known_seq, m.balance_after as known_balance,
      (m.member_id, m.kind, m.amount, m.account) = (i.member_id, i.kind, i.amount, i.account) as is_known,
      array_position(k.keys, i.key) as first_place,
      ledger.earned_of(i.kind, i.amount) as earned, ledger.tasks_of(i.kind, i.is_task) as tasks,
      ledger.is_sound(i.kind, i.amount, i.key, i.account, i.subject) as is_sound
    from unnest(items) with ordinality i (member_id, key, kind, amount, account, subject, provider,
                                          transaction_id, is_task, link, place)
      cross join (select array(select o.key from unnest(items) o) as keys) k
      left join lateral (
        select known.seq, known.balance_after, known.member_id, known.kind, known.amount, known.account
        from ledger.movements known where known.key = i.key limit 1) m on true
    order by i.place
  loop
    if not item.is_sound then
      raise exception 'unsound movement: % of % (%)', item.kind, item.amount, item.key using errcode = '23514';
    end if;
    if item.link is distinct from link then
      links_done := links_done || link;
      link := item.link;
      link_start := item.place;
      link_verdict := null;
      if link = any (links_done) then
        raise exception 'linked movements must be neighbours' using errcode = '22023';
      end if;
    end if;
    if link_verdict is not null then
      verdicts[item.place] := link_verdict;
      continue;
    end if;
    slot := item.slot;

    if item.known_seq is not null then
      verdict := case when item.is_known then 'exists' else 'exists_different' end;
      if item.is_known then
        seqs[item.place] := item.known_seq;
        balances_after[item.place] := item.known_balance;
      end if;
    elsif item.first_place < item.place then
      verdict := verdicts[item.first_place];
      original := items[item.first_place];
      if (original.member_id, original.kind, original.amount, original.account)
        <> (item.member_id, item.kind, item.amount, item.account) then
        verdict := 'exists_different';
      elsif verdict = 'posted' then
        verdict := 'exists';
      end if;
      if verdict in ('exists', 'insufficient') then
        seqs[item.place] := seqs[item.first_place];
        balances_after[item.place] := balances_after[item.first_place];
      end if;
    elsif slot is null then
      verdict := 'unknown_member';
    elsif are_closed[slot] and not ledger.may_enter_closed(item.kind) then
      verdict := 'closed';
    elsif balances[slot] + item.amount < 0 and item.amount < 0 and not ledger.may_overdraw(item.kind) then
      verdict := 'insufficient';
      balances_after[item.place] := balances[slot];
    else
      verdict := 'posted';
      posted_count := posted_count + 1;
      balances[slot] := balances[slot] + item.amount;
      changed_count := changed_count + (counts[slot] = first_counts[slot])::integer;
      counts[slot] := counts[slot] + 1;
      earned_sums[slot] := earned_sums[slot] + item.earned;
      task_sums[slot] := task_sums[slot] + item.tasks;
      seqs[item.place] := counts[slot];
      balances_after[item.place] := balances[slot];
    end if;
    verdicts[item.place] := verdict;

    if link is not null then
      earlier := case when item.place > link_start then verdicts[item.place - 1] else verdict end;
      if verdict <> earlier or verdict not in ('posted', 'exists') then
        link_verdict := case when verdict in ('posted', 'exists') then 'exists_different' else verdict end;
        for place in link_start..item.place loop
          if verdicts[place] = 'posted' then
            slot := array_position(wallet_ids, items[place].member_id);
            balances[slot] := balances[slot] - items[place].amount;
            counts[slot] := counts[slot] - 1;
            changed_count := changed_count - (counts[slot] = first_counts[slot])::integer;
            earned_sums[slot] := earned_sums[slot] - ledger.earned_of(items[place].kind, items[place].amount);
            task_sums[slot] := task_sums[slot] - ledger.tasks_of(items[place].kind, items[place].is_task);
            posted_count := posted_count - 1;
          end if;
          verdicts[place] := link_verdict;
          seqs[place] := null;
          balances_after[place] := null;
        end loop;
      end if;
    end if;
  end loop;

  if posted_count > 0 then
    select c.now, platform.day_in(c.site_timezone, c.now) into posted_at, site_day
    from (select platform.business_time(offset_seconds) as now, site_timezone from platform.site_clock) c;

    insert into ledger.movements (seq, amount, balance_after, earned_delta, posted_at, member_id, site_day,
      task_delta, kind, account, key, subject, provider, transaction_id)
    select i.seq, i.amount, i.balance, ledger.earned_of(i.kind, i.amount), posted_at,
      i.member_id, site_day, ledger.tasks_of(i.kind, i.is_task), i.kind, i.account,
      i.key, i.subject, i.provider, i.transaction_id
    from rows from (unnest(items), unnest(verdicts), unnest(seqs), unnest(balances_after))
      i (member_id, key, kind, amount, account, subject, provider, transaction_id, is_task, link,
         verdict, seq, balance)
    where i.verdict = 'posted'
    on conflict on constraint movements_key do nothing;
    get diagnostics written_count = row_count;
    if written_count <> posted_count then
      -- Another member's movement took a key after the lookup. The statement is rolled back and repeated.
      raise exception 'a key was taken meanwhile' using errcode = '40001';
    end if;

    -- The rows exist and are locked. An upsert is used because it finds each row by its key under every cached plan.
    insert into ledger.wallets as w (member_id, balance, movement_count, earned_total, tasks_completed, today)
    select n.member_id, n.balance, n.count, n.earned, n.tasks, site_day
    from unnest(wallet_ids, balances, first_counts, counts, earned_sums, task_sums)
      n (member_id, balance, first_count, count, earned, tasks)
    where n.count <> n.first_count
    on conflict (member_id) do update
    set balance = excluded.balance, movement_count = excluded.movement_count,
      earned_total = w.earned_total + excluded.earned_total,
      tasks_completed = w.tasks_completed + excluded.tasks_completed,
      today = case when excluded.earned_total > 0 then greatest(w.today, site_day) else w.today end,
      day_sums = case when excluded.earned_total = 0 then w.day_sums
                      when w.today = site_day then array[w.day_sums[1] + excluded.earned_total] || w.day_sums[2:8]
                      else (ledger.add_to_day(w.day_sums, w.today, site_day, excluded.earned_total)).sums end;
    get diagnostics written_count = row_count;
    if written_count <> changed_count then
      raise exception '% wallets written, not %', written_count, changed_count;
    end if;
  end if;

  return query select r.place::integer, r.status, r.seq, r.balance
  from unnest(verdicts, seqs, balances_after) with ordinality r (status, seq, balance, place);
end
$$;
grant execute on function ledger.post(ledger.item[]) to earnest_app;
