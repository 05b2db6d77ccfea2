-- The access of a user to Zoom, for video calls. Its tokens are sealed: the database alone does not open them.
CREATE TABLE zoom_token (
  realm_id integer NOT NULL,
  user_id integer NOT NULL,
  sealed text NOT NULL,
  expires_at bigint NOT NULL,       -- the access token; the other one, of use once, gets the next pair
  renewing_until bigint NOT NULL,   -- until then, one request has the turn to do that
  PRIMARY KEY (realm_id, user_id)
);

-- A browser that is away at Zoom. The row goes when it comes back: each is of use once.
CREATE TABLE zoom_departure (
  realm_id integer NOT NULL,
  hash text NOT NULL,               -- of the state that Zoom hands back
  user_id integer NOT NULL,
  session_id integer,
  expires_at bigint NOT NULL,
  PRIMARY KEY (realm_id, hash)
);
CREATE INDEX zoom_departure_of_user ON zoom_departure (realm_id, user_id);

-- BigBlueButton is number 4 among the providers that clients know, and Zoom number 3.
UPDATE realm SET settings = jsonb_set(settings, '{video_chat_provider}', '4')
WHERE settings->'video_chat_provider' = '3';
