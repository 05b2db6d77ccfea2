-- Where replies to a mail go: back to the conversation that it is about. Mails from before take none.
ALTER TABLE mail ADD COLUMN reply_to text;
