-- Of an invitation link, only its hash opens; the link itself can be read again with a secret that stands outside of the
-- database. Links of before go on working, and are not shown any more.
ALTER TABLE invitation DROP COLUMN link_key;
ALTER TABLE invitation ADD COLUMN sealed text; -- null for invitations by mail
