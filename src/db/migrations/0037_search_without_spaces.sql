-- The characters of texts that have no spaces between words, and each with its neighbour: by these, words are found inside
-- of sentences. The scripts are those of src/narrow/unspaced.ts.
CREATE FUNCTION unspaced_grams(topic text, content text) RETURNS text[]
  LANGUAGE sql IMMUTABLE PARALLEL SAFE COST 1000
AS $$
  SELECT coalesce(array_agg(DISTINCT gram) FILTER (WHERE gram IS NOT NULL), '{}')
  FROM regexp_matches(
    translate(topic || ' ' || content, '*~`', ''),
    '[\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u3005-\u3007\u3041-\u3096\u3099-\u309F\u30A1-\u30FA\u30FC-\u30FF\u3105-\u312F\u31F0-\u31FF\u3400-\u4DBF\u4E00-\u9FFF\uAC00-\uD7A3\uF900-\uFAFF\uFF66-\uFF9F\U00020000-\U0003FFFF]+',
    'g'
  ) WITH ORDINALITY AS run(parts, number)
  CROSS JOIN LATERAL (
    SELECT c, c || lead(c) OVER (ORDER BY place) AS pair
    FROM string_to_table(run.parts[1], NULL) WITH ORDINALITY AS one(c, place)
  ) AS pairs
  CROSS JOIN LATERAL (VALUES (c), (pair)) AS grams(gram)
$$;

-- Texts of ASCII alone cost nothing: they are not in it.
CREATE INDEX message_unspaced ON message USING gin (unspaced_grams(topic, content))
  WHERE octet_length(topic || content) <> char_length(topic || content);
