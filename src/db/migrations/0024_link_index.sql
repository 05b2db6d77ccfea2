-- Where few messages have a link, they are found without the others.
CREATE INDEX message_link ON message (realm_id, id) WHERE has_link;
