-- Bots' keys can be read again by their owners, with a secret that stands outside of the database (src/lib/secrets/sealed.ts).
ALTER TABLE api_key ADD COLUMN sealed text; -- null for people's keys, and for those of before
