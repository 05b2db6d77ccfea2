import { randomInt } from 'node:crypto'

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'

/** The secret part of a link: 24 letters and digits, 120 bits. */
export function newLinkKey(): string {
  return Array.from({ length: 24 }, () => alphabet[randomInt(alphabet.length)]).join('')
}
