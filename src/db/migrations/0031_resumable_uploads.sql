-- Uploads that arrive in parts. The parts are files of the store, noted in unrecorded_file until the upload expires.
CREATE TABLE resumable_upload (
  realm_id integer NOT NULL REFERENCES realm (id),
  id text NOT NULL,
  user_id integer NOT NULL,
  name text NOT NULL,
  size bigint NOT NULL,
  received bigint NOT NULL DEFAULT 0,
  parts text[] NOT NULL DEFAULT '{}',  -- paths in the store, in order
  answer text,                         -- JSON of the response that the finished upload has had
  changed_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  PRIMARY KEY (realm_id, id)
);
CREATE INDEX resumable_upload_user ON resumable_upload (realm_id, user_id);
CREATE INDEX resumable_upload_expiry ON resumable_upload (realm_id, expires_at);
