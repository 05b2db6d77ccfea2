-- Organizations may be in other databases than this one: see docs/decisions/0011-several-databases.md.

-- Only in the main database: where an organization is that is not, or was not always, in the main one. moving_to: it is
-- being moved there. move names the last move.
CREATE TABLE realm_place (
  realm_id integer PRIMARY KEY,
  database text NOT NULL,
  moving_to text,
  move uuid,
  changed_at bigint NOT NULL
);

-- In every database: the end of a log that a move has closed. Without its row in realm_head, nobody can write there. It goes
-- back into realm_head when the organization stays, or has arrived.
CREATE TABLE moved_head (
  realm_id integer PRIMARY KEY,
  last_event_id bigint NOT NULL,
  last_message_id bigint NOT NULL,
  epoch uuid NOT NULL,
  stamp bigint NOT NULL,
  move uuid NOT NULL
);
