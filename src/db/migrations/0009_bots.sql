-- What bots do when they are told nothing else, and what they keep.

ALTER TABLE account
  ADD COLUMN default_sending_channel_id integer,   -- of bots, as the two that follow
  ADD COLUMN default_events_channel_id integer,
  ADD COLUMN default_all_public_channels boolean NOT NULL DEFAULT false;

-- What a bot, or any other user, stores here for its own use.
CREATE TABLE bot_storage (
  realm_id integer NOT NULL,
  user_id integer NOT NULL,
  key text NOT NULL,
  value text NOT NULL,
  PRIMARY KEY (realm_id, user_id, key)
);
