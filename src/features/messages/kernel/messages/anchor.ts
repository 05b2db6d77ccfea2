import type { CallerContext } from '../../../../http/endpoint.ts'
import { text } from '../../../../http/params.ts'
import { badRequest } from '../../../../lib/api-error.ts'
import { type AmongUnread, firstUnreadSql } from '../../../kernel/flags/unread.ts'

/** A message id, or a number beyond either end. */
export type Anchor = number

/** Lies beyond every message. Clients use exactly this number: it stands for "the newest" and for "nothing unread". */
export const newest: Anchor = 10_000_000_000_000_000

/** A message id, or a word for one of the ends. Integers beyond every id also stand for the ends. */
export const anchorParam = () => text().documentedAs({ pattern: '^(newest|oldest|first_unread|-?[0-9]+)$' })

/** Returns the anchor that the client requests. `first_unread` requires a lookup. */
export function parseAnchor(sent: string | undefined): Anchor | 'first_unread' {
  if (sent === undefined) throw badRequest("Missing 'anchor' argument.")
  if (sent === 'newest') return newest
  if (sent === 'oldest') return 0
  if (sent === 'first_unread') return sent
  if (!/^-?\d+$/.test(sent)) throw badRequest('Invalid anchor')
  return Math.min(Math.max(Number(sent), 0), newest)
}

/** Returns the oldest matching unread message, or `newest` if there is none. */
export async function firstUnread(
  { realm, me, read }: CallerContext<'read'>,
  among: AmongUnread,
): Promise<Anchor> {
  const [first] = await read.rows(firstUnreadSql(realm, me, among))
  return first?.id ?? newest
}
