-- Which key or session registered a device: it gets no more notifications once that has ended. Devices from before have neither.
ALTER TABLE push_device ADD COLUMN api_key_id integer, ADD COLUMN session_id integer;
