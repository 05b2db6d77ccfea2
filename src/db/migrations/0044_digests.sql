-- The last day for which a digest was written to a user, or found to be empty: days since 1970-01-01, by the user's own clock.
CREATE TABLE digest (
  realm_id integer NOT NULL,
  user_id integer NOT NULL,
  day integer NOT NULL,
  PRIMARY KEY (realm_id, user_id)
);
-- Organizations could turn digests on before the server sent any. The first run finds out when they are due.
INSERT INTO job (realm_id, kind, subject_id, due_at)
  SELECT id, 'digests', 0, 0 FROM realm WHERE settings @> '{"digest_emails_enabled": true}'
  ON CONFLICT DO NOTHING;
