-- When each migration was applied, and by which version. Those of before have neither.
ALTER TABLE migration ADD COLUMN applied_at bigint;
ALTER TABLE migration ADD COLUMN applied_by text;
ALTER TABLE migration ALTER COLUMN applied_at SET DEFAULT extract(epoch FROM now())::bigint;
ALTER TABLE migration ALTER COLUMN applied_by SET DEFAULT current_setting('rookery.version', true);
