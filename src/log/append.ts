import { firstIn, lastIn } from '../lib/must.ts'
import type { Change } from './change.ts'
import { type Entry, newStamp, rowsOnly } from './entry.ts'

/** Returns the entries of a change. Its rows are in the first one, so that an event never arrives before them. */
export function entriesOf(change: Change, position: number): Entry[] {
  const stamp = newStamp()
  const drafts: Omit<Entry, 'id' | 'stamp'>[] = change.events.map(({ event, audience, body }) => ({
    type: event.type,
    event,
    audience,
    rows: null,
    body,
  }))
  if (change.images.length > 0) {
    if (drafts.length === 0) drafts.push({ type: rowsOnly, event: null, audience: null, rows: null })
    firstIn(drafts).rows = change.images
  }
  return drafts.map((draft, i) => ({ id: position + 1 + i, stamp, ...draft }))
}

export async function append(change: Change, entries: Entry[]) {
  await change.insertAll(
    'event_log',
    entries.map(({ id, stamp, type, audience, event, rows }) => ({
      id,
      stamp,
      type,
      audience,
      event,
      rows,
      created_at: change.now,
    })),
  )
  const { id, stamp } = lastIn(entries)
  await change.advanceHead(id, stamp)
}
