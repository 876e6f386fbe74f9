-- The acts on a target that change something. Looks at a payout may be many, and a history is read without them.
create index acts_target_changes on platform.acts (target) where act <> 'payout.check';
