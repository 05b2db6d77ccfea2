-- Outside of a transaction, so that messages are sent meanwhile: of many messages in such scripts, the index takes minutes. What
-- an interrupted attempt has left is not valid. Texts of ASCII alone cost nothing: they are not in it.
DROP INDEX CONCURRENTLY IF EXISTS message_unspaced;
CREATE INDEX CONCURRENTLY message_unspaced ON message USING gin (unspaced_pairs(topic, content))
  WHERE octet_length(topic || content) <> char_length(topic || content);
