-- A search finds calls in quarantine by the member that they name. By their transaction they have an index.
create index quarantine_unresolved_member on earning.quarantine (member_ref) where state in ('open', 'held');
