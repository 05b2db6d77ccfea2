-- Jobs are claimed by when they are ready: due, and nobody at them any more. One index finds the organizations that have
-- such jobs at all, the other their oldest ones of a kind.
DROP INDEX job_due;
CREATE INDEX job_ready ON job (realm_id, greatest(due_at, leased_until)) WHERE parked_at IS NULL;
CREATE INDEX job_ready_of_kind ON job (realm_id, kind, greatest(due_at, leased_until)) WHERE parked_at IS NULL;
