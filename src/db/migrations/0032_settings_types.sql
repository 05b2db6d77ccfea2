-- What the settings hold is declared by the features that own them; see src/db/values.ts.
COMMENT ON COLUMN realm.settings IS 'ts: Partial<StoredRealmSettings>';
COMMENT ON COLUMN account.settings IS 'ts: Partial<StoredUserSettings>';
