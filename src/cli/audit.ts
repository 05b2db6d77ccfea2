import type { AuditEntryRow } from '../db/schema.ts'
import {
  type AuditFilter,
  allEntries,
  newestEntries,
} from '../features/organization/audit-log/audit-query.ts'
import { entryFields, entryView } from '../features/organization/audit-log/entry-view.ts'
import { auditLimits } from '../features/organization/audit-log/limits.ts'
import { auditKinds, auditKindWords, auditObjects } from '../log/audit/kinds.ts'
import { cliCommand, UsageError } from './command.ts'
import { realmOption, userOf, withRealm } from './context.ts'
import { csvLine } from './csv.ts'
import { cliLimits } from './limits.ts'
import { drained, say, textTable, time } from './output.ts'
import { timeNamed } from './time-named.ts'

export const audit = cliCommand('audit', {
  summary: 'show who changed what in an organization, and who logged in',
  options: {
    kind: { value: 'KIND', help: 'only entries of this kind, as user.deactivate, or of all kinds of user' },
    object: { value: 'OBJECT', help: `only entries about one: ${auditObjects.join(', ')}` },
    id: { value: 'ID', help: 'only entries about the object with this id' },
    actor: { value: 'EMAIL', help: 'only what this user has done' },
    since: {
      value: 'TIME',
      help: 'from this time on: 2026-03-31, 2026-03-31T12:00Z, or 7d (days), 12h (hours) ago',
    },
    until: { value: 'TIME', help: 'before this time' },
    limit: { value: 'NUMBER', help: `how many of the newest to show, by default ${cliLimits.auditShown}` },
    json: { help: 'write all of them to standard output, the oldest first: one JSON object on each line' },
    csv: { help: 'write all of them as CSV, for a spreadsheet' },
    realm: realmOption,
  },
  details: () => `Kinds of entries: ${auditKinds.join(', ')}.

The meaning of each field is in docs/guide/audit.md. In CSV, a text that a spreadsheet would take for a formula begins
with an apostrophe.`,
  async run(config, _args, options) {
    if (options.json && options.csv) throw new UsageError('Either --json or --csv, not both.')
    if ((options.json || options.csv) && options.limit !== undefined) {
      throw new UsageError('--json and --csv write all entries: leave out --limit, and choose by --since.')
    }
    checkNames(options)
    await withRealm(config, options.realm, async ({ state, database: { read } }, site) => {
      const now = site.clock()
      const filter: AuditFilter = {
        kind: options.kind,
        object: options.object,
        objectId: numberIn('--id', options.id),
        actorId: options.actor === undefined ? undefined : userOf(state, options.actor).id,
        since: timeNamed('--since', options.since, now),
        until: timeNamed('--until', options.until, now),
      }
      const format = options.json ? jsonLine : options.csv ? csvRow : undefined
      if (!format) {
        const limit = shownOf(options.limit)
        return say(table(await read.rows(newestEntries(state.id, filter, limit))))
      }
      if (options.csv) say(csvLine([...entryFields]))
      await read.longSnapshot(async (at) => {
        for await (const rows of at.portions(allEntries(state.id, filter), auditLimits.auditEntriesPerRead)) {
          for (const row of rows) say(format(row))
          await drained()
        }
      })
    })
  },
})

function checkNames({ kind, object }: { kind: string | undefined; object: string | undefined }) {
  if (object !== undefined && !auditObjects.includes(object)) {
    throw new UsageError(`There is no object ${object}; there are ${auditObjects.join(', ')}.`)
  }
  if (kind === undefined || auditKindWords.includes(kind)) return
  throw new UsageError(`There is no kind ${kind}; rookery audit --help lists them.`)
}

function shownOf(limit: string | undefined): number {
  const number = numberIn('--limit', limit) ?? cliLimits.auditShown
  if (number <= cliLimits.auditShownMost) return number
  throw new UsageError(`--limit is at most ${cliLimits.auditShownMost}; --json and --csv write all entries.`)
}

function numberIn(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d{1,12}$/.test(text)) throw new UsageError(`${option} needs a number, not ${text}.`)
  return Number(text)
}

function jsonLine(row: AuditEntryRow): string {
  return JSON.stringify(entryView(row))
}

function csvRow(row: AuditEntryRow): string {
  const view = entryView(row)
  return csvLine(
    entryFields.map((name) => {
      const value = view[name]
      return value !== null && typeof value === 'object' ? JSON.stringify(value) : String(value ?? '')
    }),
  )
}

/** The oldest first, so that the newest stand above the prompt. */
function table(rows: AuditEntryRow[]): string {
  const lines = rows
    .reverse()
    .map((row) => [
      time(row.at),
      row.kind,
      `${row.object} ${row.object_id ?? ''} ${row.object_name ? `(${row.object_name})` : ''}`
        .replaceAll('  ', ' ')
        .trim(),
      actorOf(row),
      row.ip ?? '',
      changeOf(row),
    ])
  return textTable(['TIME', 'KIND', 'OBJECT', 'BY', 'FROM', 'CHANGE'], lines)
}

function actorOf({ actor_id, actor_name, means, means_id, operation, os_user }: AuditEntryRow): string {
  if (means === 'command') return `rookery ${operation}, by ${os_user}`
  if (means === 'server') return 'the server'
  const who = actor_id === null ? 'nobody logged in' : `${actor_name} (${actor_id})`
  return means_id === null ? who : `${who}, ${means} ${means_id}`
}

function changeOf({ before, after }: AuditEntryRow): string {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  const shown = (value: unknown) => (value === undefined ? '-' : JSON.stringify(value))
  const parts = names.map((name) => {
    if (before && after) return `${name}: ${shown(before[name])} -> ${shown(after[name])}`
    return `${name}: ${shown((after ?? before)?.[name])}`
  })
  const text = parts.join(', ')
  return text.length > cliLimits.auditChangeLength ? `${text.slice(0, cliLimits.auditChangeLength)} …` : text
}
