import type { ApiKeyRow } from '../../../../db/schema.ts'
import type { Place, Secrets } from '../../../../lib/sealed.ts'

type Row = Pick<ApiKeyRow, 'realm_id' | 'user_id' | 'hash'>

const purpose = 'API key of a bot'

/** What stands beside the hash of a bot's key, so that it can be read again. */
export function sealApiKey(secrets: Secrets, row: Row, key: string): string {
  return secrets.seal(purpose, placeOf(row), key)
}

/** The key itself; undefined if it is not to be read again, or was sealed with another secret. */
export function openApiKey(secrets: Secrets, row: ApiKeyRow): string | undefined {
  return row.sealed === null ? undefined : secrets.open(purpose, placeOf(row), row.sealed)
}

// The hash tells the row from all others, and is known before it is written.
function placeOf({ realm_id, user_id, hash }: Row): Place {
  return [realm_id, user_id, hash]
}
