import { badRequest } from '../../../../lib/api-error.ts'
import { type Anchor, newest, parseAnchor } from './anchor.ts'

/** The requested page: how many messages before and after an anchor, as sent by the client. */
type PageAsked = {
  anchor: string | undefined
  include_anchor: boolean
  num_before: number
  num_after: number
}

/**
 * Finds messages, and returns them in ascending order: at most `before` up to the anchor and `after` beyond it. It may reduce these two numbers
 * in the object, if one page has no room for more.
 */
type Find<Message> = (page: { anchor: Anchor; before: number; after: number }) => Promise<Message[]>

/**
 * Returns the messages around an anchor, oldest first, and whether the oldest and the newest are among them. `firstUnread` returns the anchor
 * of that name.
 */
export async function pageAround<Message extends { id: number }>(
  firstUnread: () => Promise<Anchor>,
  asked: PageAsked,
  find: Find<Message>,
) {
  if (asked.num_before > 0 && asked.num_after > 0 && !asked.include_anchor) {
    throw badRequest('The anchor can only be excluded at an end of the range')
  }
  const wanted = parseAnchor(asked.anchor)
  const anchor = wanted === 'first_unread' ? await firstUnread() : wanted
  const before = anchor <= 0 ? 0 : asked.num_before
  const after = anchor >= newest ? 0 : asked.num_after
  // Fetches one more before the anchor, for the message at the anchor itself.
  const page = { anchor, before: before + 1, after }
  const found = await find(page)
  return pageOf(
    anchor,
    { before: page.before - 1, after: page.after, includeAnchor: asked.include_anchor },
    found,
  )
}

function pageOf<Message extends { id: number }>(
  anchor: Anchor,
  asked: { before: number; after: number; includeAnchor: boolean },
  found: Message[],
) {
  const older = found.filter((message) => message.id < anchor)
  const before = asked.before === 0 ? [] : older.slice(-asked.before)
  const at = found.filter((message) => message.id === anchor)
  const after = found.filter((message) => message.id > anchor)
  return {
    messages: [...before, ...(asked.includeAnchor ? at : []), ...after],
    found_anchor: at.length === 1 && asked.includeAnchor,
    found_oldest: anchor <= 0 || before.length < asked.before,
    found_newest: anchor >= newest || after.length < asked.after,
    anchor,
  }
}
