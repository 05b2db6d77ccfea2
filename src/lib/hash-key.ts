import { hash } from 'node:crypto'

/** What is stored of a key. Keys are random, so one round of SHA-256 keeps them safe. */
export function hashKey(key: string): string {
  return hash('sha256', key, 'hex')
}
