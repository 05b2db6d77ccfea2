-- How far the log was looked through for a queue without finding anything for it: it need not be kept any longer, although
-- the client has acknowledged less.
ALTER TABLE event_queue ADD COLUMN reached bigint NOT NULL DEFAULT 0;
UPDATE event_queue SET reached = acknowledged;
