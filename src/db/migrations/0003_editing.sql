-- What has become of a message since it was sent: its changes, the newest first, and when the last ones of each kind
-- were made. last_moved_at does not count resolving a topic and the like.
ALTER TABLE message
  ADD COLUMN edit_history jsonb,
  ADD COLUMN last_edited_at bigint,
  ADD COLUMN last_moved_at bigint;
COMMENT ON COLUMN message.edit_history IS 'ts: Edit[]';

-- For those who have read a message, and for what they have read to move with it.
CREATE INDEX read_state_recipient ON read_state (realm_id, recipient_id);
