-- In place of 0037: half as many entries for each text, and no more than its beginning has. Of texts that have no spaces between
-- words, each character with its neighbour, and the last one alone. The scripts are those of src/narrow/unspaced.ts.
DROP INDEX message_unspaced;
DROP FUNCTION unspaced_grams;

CREATE FUNCTION unspaced_pairs(topic text, content text) RETURNS tsvector
  LANGUAGE sql IMMUTABLE PARALLEL SAFE COST 1000
AS $$
  SELECT array_to_tsvector(coalesce(array_agg(DISTINCT pair), '{}'))
  FROM regexp_matches(
    translate(left(topic || ' ' || content, 2000), '*~`', ''),
    '[\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u3005-\u3007\u3041-\u3096\u3099-\u309F\u30A1-\u30FA\u30FC-\u30FF\u3105-\u312F\u31F0-\u31FF\u3400-\u4DBF\u4E00-\u9FFF\uAC00-\uD7A3\uF900-\uFAFF\uFF66-\uFF9F\U00020000-\U0003FFFF]+',
    'g'
  ) AS run(parts)
  CROSS JOIN LATERAL (
    SELECT c || coalesce(lead(c) OVER (ORDER BY place), '') AS pair
    FROM string_to_table(run.parts[1], NULL) WITH ORDINALITY AS one(c, place)
  ) AS pairs
$$;
