import type { Config } from '../../config/config.ts'
import { systemClock } from '../../lib/clock.ts'
import { messageOf } from '../../lib/errors.ts'
import { lastBackup } from '../../monitoring/last-backup.ts'
import { time } from '../output.ts'
import type { Finding } from './checks.ts'

const day = 86_400

/** Seconds after which a backup is old: one a day may fail once. */
const oldAfter = 2 * day

/** Checks whether there is a backup, and how old it is. */
export async function checkBackup({ dataDirectory, databases }: Config): Promise<Finding> {
  if (databases !== undefined) {
    return {
      level: 'ok',
      what: 'backups of several databases are made by their own means, and not looked at here',
    }
  }
  const advice = 'Make one each day with rookery backup, and keep it on another machine.'
  try {
    const last = await lastBackup(dataDirectory)
    if (!last) return { level: 'warn', what: 'no backup has been made', advice }
    const what = `the last backup (${last.kind}) is of ${time(last.finishedAt)}`
    const age = systemClock() - last.finishedAt
    if (age < -day) {
      return {
        level: 'warn',
        what: `${what}, in the future: a clock was ahead, and its age is unknown`,
        advice,
      }
    }
    if (age <= oldAfter) return { level: 'ok', what }
    return { level: 'warn', what: `${what}, ${Math.floor(age / day)} days ago`, advice }
  } catch (error) {
    return { level: 'warn', what: `the note of the last backup cannot be read: ${messageOf(error)}`, advice }
  }
}
