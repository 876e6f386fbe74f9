-- Operators decide registrations that wait. The list is read by state and searched by network address.
alter table access.registration_reviews
  -- Why an operator approved or rejected it. The person does not read it.
  add column decision_reason text;
create index registration_reviews_status on access.registration_reviews (status, id);
create index registration_reviews_address on access.registration_reviews ((facts->>'address'));
