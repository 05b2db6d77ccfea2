-- Files in the store that no other row tells of: those that are about to be recorded, and those that were replaced. They
-- are removed when their time comes.
CREATE TABLE unrecorded_file (
  realm_id integer NOT NULL REFERENCES realm (id),
  path text NOT NULL,
  remove_at bigint NOT NULL,  -- 0: they are being removed, and cannot be recorded any more
  PRIMARY KEY (realm_id, path)
);
