-- Operators find members by name: by the beginning of each part in either order, with or without a space.

-- The words of a name: each part, and all of them as one word, the family name first and last. A Korean name in one
-- part is found by the given name too; family names have one syllable or two. `searchedName` of the server takes a
-- searched text apart in the same way.
create function members.name_words(first_name text, last_name text) returns tsvector
  language sql immutable parallel safe
as $$
  select array_to_tsvector(array_remove(array_remove(first.words || last.words || array[
    array_to_string(last.words || first.words, ''),
    array_to_string(first.words || last.words, ''),
    case when first.whole ~ '^[가-힣]{3,6}$' then substr(first.whole, 2) || left(first.whole, 1) end,
    case when first.whole ~ '^[가-힣]{4,6}$' then substr(first.whole, 3) || left(first.whole, 2) end], ''), null))
  from (
    select n.whole, string_to_array(translate(n.whole, '-''’.,·', '      '), ' ') as words
    from (select lower(normalize(name_words.first_name, NFC)) as whole) n) first
    cross join (
      select string_to_array(translate(n.whole, '-''’.,·', '      '), ' ') as words
      from (select lower(normalize(coalesce(name_words.last_name, ''), NFC)) as whole) n) last
$$;
grant execute on function members.name_words(text, text) to earnest_app;
-- A registration pays for its own words, so that none has to write those of many before.
create index members_name_words on members.members using gin (members.name_words(first_name, last_name))
  with (fastupdate = off);
