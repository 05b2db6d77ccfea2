-- What a bot is connected to: where an outgoing webhook posts, and what its owner has set for the bot.
CREATE TABLE bot_service (
  realm_id integer NOT NULL,
  bot_id integer NOT NULL,
  name text NOT NULL,
  base_url text,           -- of outgoing webhooks, as the two that follow
  interface smallint,      -- 1 our own format, 2 Slack's
  token text,              -- by which the other side knows who asks; so it is kept as it is
  config jsonb NOT NULL DEFAULT '{}',
  PRIMARY KEY (realm_id, bot_id)
);
COMMENT ON COLUMN bot_service.config IS 'ts: Record<string, string>';

-- Messages that an outgoing webhook is still to be asked about.
CREATE TABLE outgoing_request (
  realm_id integer NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  bot_id integer NOT NULL,
  message_id bigint NOT NULL,
  trigger text NOT NULL,   -- mention or direct_message
  created_at bigint NOT NULL,
  PRIMARY KEY (realm_id, id)
);
