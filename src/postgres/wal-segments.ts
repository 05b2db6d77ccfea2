import type pg from 'pg'

// PostgreSQL writes its log (WAL) in segments: files whose names are the timeline, and a number in two parts.

/** Segments per value of the first part of the number; a segment has 16 MiB. */
const perPart = 256

const segment = /^[0-9A-F]{24}$/

function timelineOf(name: string): string {
  return name.slice(0, 8)
}

function numberOf(name: string): number {
  if (!segment.test(name)) throw new Error(`${name} is no segment of PostgreSQL's log`)
  return Number.parseInt(name.slice(8, 16), 16) * perPart + Number.parseInt(name.slice(16), 16)
}

function nameOf(timeline: string, number: number): string {
  const hexadecimal = (part: number) => part.toString(16).toUpperCase().padStart(8, '0')
  return timeline + hexadecimal(Math.floor(number / perPart)) + hexadecimal(number % perPart)
}

/** The names of the segments of one timeline from `first` to `last`, both included. */
export function segmentsFrom(first: string, last: string): string[] {
  const start = numberOf(first)
  const length = Math.max(0, numberOf(last) - start + 1)
  return Array.from({ length }, (_, index) => nameOf(timelineOf(first), start + index))
}

export function segmentAfter(name: string): string {
  return nameOf(timelineOf(name), numberOf(name) + 1)
}

/** The slot by which PostgreSQL keeps the segments that are not in a backup yet. */
export const backupSlot = 'rookery_backup'

/** Keeps all segments from now on; for a trial, until the session ends. Returns the name of the slot. */
export async function newSlot(client: pg.ClientBase, isTrial = false): Promise<string> {
  const slot = isTrial ? `rookery_trial_${process.pid}` : backupSlot
  await client.query(
    'SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = $1',
    [slot],
  )
  await client.query('SELECT pg_create_physical_replication_slot($1, true, $2)', [slot, isTrial])
  return slot
}

/** Whether the segment and all later ones are still there. */
export async function isKept(client: pg.ClientBase, name: string): Promise<boolean> {
  const { rows } = await client.query<{ from: string | null; status: string | null }>(
    'SELECT pg_walfile_name(restart_lsn) AS "from", wal_status AS status FROM pg_replication_slots WHERE slot_name = $1',
    [backupSlot],
  )
  const { from, status } = rows[0] ?? {}
  if (!from || status === 'lost' || timelineOf(from) !== timelineOf(name)) return false
  // At the very beginning of a segment, PostgreSQL names the one before.
  return numberOf(from) <= numberOf(name)
}

/** Lets PostgreSQL remove the segments before a position of its log. */
export async function releaseBefore(client: pg.ClientBase, slot: string, position: string): Promise<void> {
  await client.query('SELECT pg_replication_slot_advance($1, $2::pg_lsn)', [slot, position])
}
