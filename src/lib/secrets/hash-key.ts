import { hash } from 'node:crypto'

/** Returns the stored form of a key. Keys are random, so one round of SHA-256 keeps them safe. */
export function hashKey(key: string): string {
  return hash('sha256', key, 'hex')
}
