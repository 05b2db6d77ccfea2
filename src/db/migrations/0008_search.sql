-- By what messages are found.

ALTER TABLE message
  ADD COLUMN has_link boolean NOT NULL DEFAULT false,
  ADD COLUMN has_image boolean NOT NULL DEFAULT false,
  ADD COLUMN has_attachment boolean NOT NULL DEFAULT false,
  -- The words of topic and text; the parser passes over the tags. Only conditions use it: nobody selects it.
  ADD COLUMN words tsvector NOT NULL
    GENERATED ALWAYS AS (to_tsvector('english', topic || ' ' || rendered_content)) STORED;
CREATE INDEX message_words ON message USING gin (words);

-- What few messages are.
CREATE INDEX message_image ON message (realm_id, id) WHERE has_image;
CREATE INDEX message_attachment ON message (realm_id, id) WHERE has_attachment;
CREATE INDEX message_mentions_channel ON message (realm_id, id) WHERE mentions_channel;
CREATE INDEX message_resolved ON message (realm_id, id) WHERE starts_with(topic, '✔ ');

-- What a reader has added to.
CREATE INDEX reaction_user ON reaction (realm_id, user_id, message_id);
