-- Clients are told when members have waited long enough to be full members. The first run finds out when the next one has.
INSERT INTO job (realm_id, kind, subject_id, due_at)
  SELECT id, 'full members', 0, 0 FROM realm WHERE (settings->>'waiting_period_threshold')::integer > 0
  ON CONFLICT DO NOTHING;
