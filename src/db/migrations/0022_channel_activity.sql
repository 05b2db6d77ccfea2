-- Whether a channel has been written to of late, and how many messages a week it gets, as was last found out. Nobody
-- says anything of the traffic of a young channel (null).
ALTER TABLE channel ADD COLUMN is_recently_active boolean NOT NULL DEFAULT true;
ALTER TABLE channel ADD COLUMN weekly_traffic integer;

-- Every organization finds that out once a day.
INSERT INTO job (realm_id, kind, subject_id, due_at) SELECT id, 'channel activity', 0, 0 FROM realm ON CONFLICT DO NOTHING;
