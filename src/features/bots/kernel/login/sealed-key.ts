import type { ApiKeyRow } from '../../../../db/schema.ts'
import type { RowKey, Secrets } from '../../../../lib/secrets/sealed.ts'

type Row = Pick<ApiKeyRow, 'realm_id' | 'user_id' | 'hash'>

const purpose = 'API key of a bot'

/** Returns the encrypted key of a bot, which is stored next to its hash so that the key can be read again. */
export function sealApiKey(secrets: Secrets, row: Row, key: string): string {
  return secrets.seal(purpose, rowKeyOf(row), key)
}

/** Returns the decrypted key, or undefined if the key cannot be read again or was sealed with another secret. */
export function openApiKey(secrets: Secrets, row: ApiKeyRow): string | undefined {
  return row.sealed === null ? undefined : secrets.open(purpose, rowKeyOf(row), row.sealed)
}

// The hash identifies the row, and is known before the row is written.
function rowKeyOf({ realm_id, user_id, hash }: Row): RowKey {
  return [realm_id, user_id, hash]
}
