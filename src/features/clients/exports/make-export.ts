import type { DataExportRow } from '../../../db/schema.ts'
import {
  finishJob,
  type Job,
  type JobContext,
  type JobHandler,
  scheduleJob,
  TryLater,
} from '../../../jobs/job.ts'
import type { Change } from '../../../log/change.ts'
import { noticeTo } from '../../kernel/messages/notify-people.ts'
import { exportPath } from '../kernel/exports/export-path.ts'
import { writeArchive } from './archive.ts'
import { emitExports, exportJob, exportQuery, exportUrl, isPending } from './exports.ts'
import { exportLimits } from './limits.ts'
import type { ScopeName } from './scope.ts'

/** How long personal exports are kept. */
const keptSeconds = exportLimits.ownExportDays * 86_400

/**
 * Creates the file of an export, and removes it when it expires or a user has deleted it. The file name is chosen in
 * advance, so after a crash the export is created again under the same name.
 */
export const exporting: JobHandler = {
  kind: exportJob,
  within: keptSeconds,
  isLong: true,
  // Each export uses a database connection and much of a CPU core.
  concurrency: exportLimits.concurrentExports,

  async run(context, job) {
    const row = await rowOf(context, job)
    if (isPendingOne(row)) await make(context, job, row)
    else await removeIfOver(context, job, row)
  },

  async giveUp(context, job, reason) {
    const { log, site, adapters } = context
    const row = await rowOf(context, job)
    if (isPendingOne(row)) await adapters.files.remove(exportPath(log.state.id, row.file))
    const tell = isPendingOne(row) ? failureNotice(context, row, reason) : undefined
    await log.commit(async (change) => {
      if (!(await finishJob(change, job)) || !isPendingOne(row)) return
      await change.update('data_export', { id: row.id, failed_at: change.now })
      await tell?.(change)
      if (row.scope !== 'person') await emitExports(change, site)
    })
  },
}

async function rowOf({ log, read }: JobContext, job: Job): Promise<DataExportRow | undefined> {
  const [row] = await read.rows(exportQuery(log.state.id, job.subject_id))
  return row
}

function isPendingOne(row: DataExportRow | undefined): row is DataExportRow {
  return row !== undefined && isPending(row)
}

/** Removes an export that was deleted or has expired. A claim of another node does not remove a file earlier. */
async function removeIfOver({ log, site, adapters }: JobContext, job: Job, row: DataExportRow | undefined) {
  const isOver = row && (row.deleted_at !== null || isExpired(row, site.clock()))
  if (isOver) await adapters.files.remove(exportPath(log.state.id, row.file))
  await log.commit(async (change) => {
    if (!(await finishJob(change, job)) || row?.deleted_at !== null) return
    // A clock may have been ahead.
    if (!isOver) return later(change, row)
    await change.update('data_export', { id: row.id, deleted_at: change.now })
  })
}

async function later(change: Change, { id, scope, finished_at }: DataExportRow) {
  if (scope !== 'person' || finished_at === null) return
  await scheduleJob(change, exportJob, id, Math.min(change.now, finished_at) + keptSeconds)
}

function isExpired({ scope, finished_at }: DataExportRow, now: number): boolean {
  return scope === 'person' && finished_at !== null && finished_at + keptSeconds <= now
}

async function make(context: JobContext, job: Job, row: DataExportRow) {
  const { log, site } = context
  const size = await write(context, row)
  const done = { ...row, size, finished_at: site.clock() }
  const tell = notice(context, done)
  await log.commit(async (change) => {
    if (!(await finishJob(change, job))) return
    await change.update('data_export', { id: row.id, size, finished_at: change.now })
    await tell?.(change)
    if (row.scope !== 'person') return emitExports(change, site)
    await scheduleJob(change, exportJob, row.id, change.now + keptSeconds)
  })
}

async function write(
  { log, read, site, adapters, stopping }: JobContext,
  row: DataExportRow,
): Promise<number> {
  const source = {
    read,
    files: adapters.files,
    realmId: log.state.id,
    scope: row.scope as ScopeName,
    ...(row.scope === 'person' && { personId: row.user_id }),
    version: site.version,
    now: site.clock(),
  }
  const path = exportPath(log.state.id, row.file)
  try {
    return await writeArchive(source, (content) => adapters.files.put(path, content), stopping)
  } catch (error) {
    if (stopping.aborted) throw new TryLater('The server is stopping.', 1)
    throw error
  }
}

function notice(context: JobContext, row: DataExportRow) {
  const url = exportUrl(context.log.state, context.site, row)
  return noticeOf(context, row, `is ready: [download it](${url}).`)
}

function failureNotice(context: JobContext, row: DataExportRow, reason: string) {
  return noticeOf(context, row, `could not be made. ${reason}`)
}

function noticeOf({ log, site }: JobContext, row: DataExportRow, what: string) {
  const person = log.state.users.get(row.user_id)
  if (!person?.is_active) return undefined
  const data = row.scope === 'person' ? 'your own data' : "this organization's data"
  return noticeTo({ log, site }, person, `The export of ${data} that you asked for ${what}`)
}
