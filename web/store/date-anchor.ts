import { get, untilDone } from '../api/client.ts'
import type { Term } from '../lib/route.ts'
import { inRequest } from './spectator.ts'

// Finds the first message of a day. The API has no anchor for times (until level 445). As ids rise with time, a few
// small pages lead there, each at an id estimated from those before.

/** How many messages a page has on each side of the guess, and how many pages are asked for at most. */
const around = 5
const pagesAtMost = 60

type Moment = { id: number; timestamp: number }
type Page = { messages: Moment[]; found_oldest: boolean; found_newest: boolean }

/** Returns the first message of a narrow that was sent at a time or after it; undefined if all were sent before. */
export async function firstSince(terms: Term[], seconds: number): Promise<number | undefined> {
  const oldest = (await pageAt(terms, 'oldest', 0, 1)).messages[0]
  const newest = (await pageAt(terms, 'newest', 1, 0)).messages.at(-1)
  if (!oldest || !newest || newest.timestamp < seconds) return undefined
  if (oldest.timestamp >= seconds) return oldest.id
  let [low, high] = [oldest, newest]
  for (let count = 0; count < pagesAtMost; count++) {
    // By turns: by the share of time, which is good where messages come evenly, and the middle, which always halves.
    const share = count % 2 === 0 ? shareOf(low, high, seconds) : 0.5
    const guess = Math.round(low.id + share * (high.id - low.id))
    const { messages } = await pageAt(terms, String(guess), around, around)
    const before = messages.findLast(({ timestamp }) => timestamp < seconds)
    const after = messages.find(({ timestamp }) => timestamp >= seconds)
    if (before && before.id > low.id) low = before
    if (after && after.id < high.id) high = after
    if ((before && after) || low.id + 1 >= high.id) return high.id
  }
  return high.id
}

function shareOf(low: Moment, high: Moment, seconds: number) {
  return (seconds - low.timestamp) / Math.max(1, high.timestamp - low.timestamp)
}

function pageAt(terms: Term[], anchor: string, before: number, after: number): Promise<Page> {
  const params = { narrow: inRequest(terms), anchor, num_before: before, num_after: after }
  return untilDone(() => get<Page>('/messages', { ...params, allow_empty_topic_name: true }))
}
