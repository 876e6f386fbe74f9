-- Raw calls as operators look for them.

-- The outcome of a call by its verdict, as the operators' list filters it.
create or replace function earning.outcome_of(verdict text) returns text
  language sql immutable parallel safe
  return case
    when verdict in ('credited', 'reversed', 'hold-rejected') then 'booked'
    when verdict in ('held', 'quarantined') then verdict
    when verdict in ('duplicate', 'duplicate-different') then 'repeated'
    when verdict in ('unknown-provider', 'source-refused', 'invalid-signature', 'invalid-postback', 'not-a-chargeback')
      then 'refused'
    else 'nothing' end;
grant execute on function earning.outcome_of(text) to earnest_app;

-- Stores the calls of a batch that has other calls than ordinary credits, and what operators look for in those.
create or replace function earning.store_calls(calls earning.call[], verdicts text[], at timestamptz) returns void
  language sql set search_path = pg_catalog, pg_temp
as $$
  with judged as materialized (
    select nextval('earning.postbacks_id_seq') as id, c.provider, c.transaction_id, c.member_ref, c.raw, c.address,
      coalesce(verdicts[c.item_position], c.verdict, 'duplicate') as verdict, coalesce(c.detail, '') as detail
    from unnest(calls) c
  ), sought as (
    insert into earning.other_calls (postback_id, provider, transaction_id, member_ref, outcome)
    select j.id, j.provider, j.transaction_id, coalesce(j.member_ref, ''), earning.outcome_of(j.verdict)
    from judged j where j.verdict <> 'credited'
  )
  insert into earning.postbacks (id, at, provider, transaction_id, raw, address, verdict, detail)
    overriding system value
  select j.id, store_calls.at, j.provider, j.transaction_id, j.raw, j.address, j.verdict, j.detail
  from judged j order by j.id
$$;
