-- The order that administrators have chosen; folders of before have the order of their ids.
ALTER TABLE channel_folder ADD COLUMN place integer NOT NULL DEFAULT 0;
