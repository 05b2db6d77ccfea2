-- Unused since: 0.1
-- Databases of the very first version have a column that no later one has made or read. Since then, the first message is asked for.
ALTER TABLE channel DROP COLUMN IF EXISTS first_message_id;
