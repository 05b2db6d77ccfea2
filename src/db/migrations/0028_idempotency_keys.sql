-- By what a request is known when it comes again: its key, and the answer that its first time had. The row is written
-- with what the request causes, so that it holds after a crash, too.
CREATE TABLE idempotency_key (
  realm_id integer NOT NULL,
  user_id integer NOT NULL,
  key text NOT NULL,    -- SHA-256, as all names of keys have one length then
  request text,         -- SHA-256 of what was asked; null if that is part of the key
  answer text,          -- JSON
  sealed text,          -- the same for an answer that holds a secret
  created_at bigint NOT NULL,
  PRIMARY KEY (realm_id, user_id, key)
);
CREATE INDEX idempotency_key_created_at ON idempotency_key (realm_id, created_at);

-- The keys that clients chose themselves stay good. What they asked was not kept.
INSERT INTO idempotency_key (realm_id, user_id, key, answer, created_at)
SELECT realm_id, sender_id, encode(sha256(convert_to(key, 'UTF8')), 'hex'), json_build_object('id', message_id)::text,
  created_at
FROM send_key WHERE key LIKE 'key:%';

DROP TABLE send_key;
