import { createHash } from 'node:crypto'

/** What is stored of a key. Keys are random, so one round of SHA-256 keeps them safe. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}
