import { firstIn, lastIn } from '../lib/must.ts'
import type { Change } from './change.ts'
import { type Entry, newStamp, rowsOnly } from './entry.ts'

/** Returns the entries of a change, numbered from `position` + 1. The first one has its rows, so no event arrives before them. */
export function entriesOf(change: Change, position: number): Entry[] {
  const stamp = newStamp()
  const unnumbered: Omit<Entry, 'id' | 'stamp'>[] = change.events.map(({ event, audience, body }) => ({
    type: event.type,
    event,
    audience,
    rows: null,
    body,
  }))
  if (change.images.length > 0) {
    if (unnumbered.length === 0) unnumbered.push({ type: rowsOnly, event: null, audience: null, rows: null })
    firstIn(unnumbered).rows = change.images
  }
  return unnumbered.map((entry, i) => ({ id: position + 1 + i, stamp, ...entry }))
}

/** Writes the entries of a change to the log, and moves its head on to the last of them. */
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
