-- An organization's log has an epoch, which changes when the database has gone back in time: when an older copy was put
-- back, or a standby took over that had not got everything. What clients and nodes know of another epoch does not count.
ALTER TABLE realm_head ADD COLUMN epoch uuid NOT NULL DEFAULT gen_random_uuid();

-- Each commit stamps its entries, and the head, with a number of its own. A node whose last entry has another stamp in the
-- database remembers what is no longer there.
ALTER TABLE realm_head ADD COLUMN stamp bigint NOT NULL DEFAULT 0;
ALTER TABLE event_log ADD COLUMN stamp bigint NOT NULL DEFAULT 0;

ALTER TABLE event_queue ADD COLUMN epoch uuid;
UPDATE event_queue q SET epoch = (SELECT h.epoch FROM realm_head h WHERE h.realm_id = q.realm_id);
ALTER TABLE event_queue ALTER COLUMN epoch SET NOT NULL;

-- Which database this is, as it says itself: a copy says something else. One row.
CREATE TABLE log_place (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  place text NOT NULL
);

-- The last start of each server: its data directory holds the token as well. The one before counts, too, as a
-- server may be killed between writing here and writing there.
CREATE TABLE server_start (
  token uuid PRIMARY KEY,
  previous uuid[] NOT NULL,
  started_at bigint NOT NULL
);
