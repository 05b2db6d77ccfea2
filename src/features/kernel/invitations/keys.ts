import { randomInt } from 'node:crypto'
import type { InvitationRow } from '../../../db/schema.ts'
import type { RowKey, Secrets } from '../../../lib/secrets/sealed.ts'

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'

/** Returns the secret part of a link: 24 letters and digits, 120 bits. */
export function newLinkKey(): string {
  return Array.from({ length: 24 }, () => alphabet[randomInt(alphabet.length)]).join('')
}

type Row = Pick<InvitationRow, 'realm_id' | 'key_hash'>

const purpose = 'key of an invitation link'

/** Returns the encrypted key, which is stored beside its hash so that users who may see the link can read it again. */
export function sealLinkKey(secrets: Secrets, row: Row, key: string): string {
  return secrets.seal(purpose, rowKeyOf(row), key)
}

/** Returns the key, or undefined if it was sealed with another secret or dates from before keys were sealed. */
export function openLinkKey(secrets: Secrets, row: Row & Pick<InvitationRow, 'sealed'>): string | undefined {
  return row.sealed === null ? undefined : secrets.open(purpose, rowKeyOf(row), row.sealed)
}

function rowKeyOf({ realm_id, key_hash }: Row): RowKey {
  return [realm_id, key_hash]
}
