import { timingSafeEqual } from 'node:crypto'

/** Whether the given secret is the right one. Takes equally long however much of it is right. */
export function isSameSecret(given: string, right: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}
