-- What else a message is to those who get it.

-- Whom "@topic" in it calls: who had written in the topic, or reacted to something there, when it was sent.
ALTER TABLE message ADD COLUMN topic_mentioned integer[];
CREATE INDEX message_topic_mentioned ON message (realm_id, id) WHERE topic_mentioned IS NOT NULL;

-- Every organization looks now and then for what it no longer keeps.
INSERT INTO job (realm_id, kind, subject_id, due_at) SELECT id, 'retention', 0, 0 FROM realm ON CONFLICT DO NOTHING;
