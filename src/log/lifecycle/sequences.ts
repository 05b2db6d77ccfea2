import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { TableShape } from '../../db/catalog.ts'
import type { Db } from '../../db/database.ts'
import { lockNotAvailable } from '../../db/move-lock.ts'
import { codeOf } from '../../lib/errors.ts'
import { firstIn } from '../../lib/must.ts'
import { logLimits } from '../limits.ts'

/** By table and column: the highest number that an organization's rows have from a sequence. */
export type HighestNumbers = Record<string, Record<string, number>>

/** Moves the sequences beyond the numbers of rows that a new organization will have. Throws if these are too high to be real. */
export async function reserveNumbers(
  db: Db,
  shapes: TableShape[],
  highest: HighestNumbers,
  report?: (line: string) => void,
) {
  await checkRoom(db, shapes, highest)
  await raiseSequences(db, shapes, highest, report)
}

/**
 * Moves the sequences beyond the numbers that the rows may have. An insert takes numbers under a lock of the table that excludes ours, so no
 * number is given out twice; and as we hold one lock at a time, there is no deadlock. If this waits behind a long write, `report` receives a
 * line; without `report`, this does not wait but throws.
 */
export async function raiseSequences(
  db: Db,
  shapes: TableShape[],
  highest: HighestNumbers,
  report?: (line: string) => void,
) {
  for (const { name, sequences } of shapes) {
    for (const { column, sequence } of sequences) {
      const number = highest[name]?.[column] ?? 0
      if (number > 0) await raise(db, { table: name, sequence, number }, report)
    }
  }
}

type Raise = { table: string; sequence: string; number: number }

async function raise(db: Db, to: Raise, report?: (line: string) => void) {
  let patience: number = logLimits.tableLockMs
  while (!(await tryRaise(db, to, patience))) {
    const fault = `Something writes in ${to.table} for long`
    if (!report) throw new Error(`${fault}.`)
    if (patience === logLimits.tableLockMs) report(`${fault}: waiting for it.`)
    // Others have been waiting behind this.
    await sleep(patience * 2)
    patience = logLimits.vacuumedTableLockMs
  }
}

/** Returns false if a long write is under way in the table: all who insert there would wait behind this. */
async function tryRaise(db: Db, { table, sequence, number }: Raise, patience: number): Promise<boolean> {
  try {
    await db.transaction().execute(async (trx) => {
      await sql`SELECT set_config('lock_timeout', ${`${patience}ms`}, true)`.execute(trx)
      await sql`LOCK TABLE ${sql.table(table)} IN SHARE ROW EXCLUSIVE MODE`.execute(trx)
      await sql`SELECT setval(${sequence}::regclass, greatest(${number}::bigint, last_value), true)
        FROM ${sql.table(sequence)}`.execute(trx)
    })
    return true
  } catch (error) {
    if (codeOf(error) !== lockNotAvailable) throw error
    return false
  }
}

/** Throws if less than half of the numbers of a sequence, which all organizations share, would be left. */
async function checkRoom(db: Db, shapes: TableShape[], highest: HighestNumbers) {
  for (const { name, sequences } of shapes) {
    for (const { column, sequence } of sequences) {
      const { rows } = await sql<{ most: number }>`
        SELECT least(seqmax, ${Number.MAX_SAFE_INTEGER}) / 2 AS most FROM pg_sequence
        WHERE seqrelid = ${sequence}::regclass`.execute(db)
      if ((highest[name]?.[column] ?? 0) <= firstIn(rows).most) continue
      throw new Error(`The export is damaged: no organization has numbers as high as its ${name}.${column}.`)
    }
  }
}
