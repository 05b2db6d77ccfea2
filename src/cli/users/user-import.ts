import { createReadStream } from 'node:fs'
import { roles } from '../../db/roles.ts'
import { addPerson } from '../../features/accounts/kernel/users/add-person.ts'
import { defaultChannels } from '../../features/channels/kernel/channels/default-channels.ts'
import { subscribeUsers } from '../../features/channels/subscriptions/subscribe-users.ts'
import { deactivate, reactivate } from '../../features/kernel/users/deactivation.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { Site } from '../../lib/site.ts'
import type { Change } from '../../log/change.ts'
import type { RealmLog } from '../../log/realm-log.ts'
import { cliCommand, type Outcome, UsageError } from '../command.ts'
import { realmOption, withRealm } from '../context.ts'
import { exitCodes } from '../exit-codes.ts'
import { readingFrom } from '../file-faults.ts'
import { cliLimits } from '../limits.ts'
import { textTable } from '../output.ts'
import { type PersonPlan, planFor } from './import-plan.ts'
import { type PersonLine, peopleIn } from './people-csv.ts'

/** The outcome of one line. */
type Report = {
  line: number
  email: string
  outcome: 'created' | 'updated' | 'unchanged' | 'failed'
  id: number | null
  changes: string[]
  problem: string | null
}

export const importPeople = cliCommand('user import', {
  summary: 'create and update the accounts of the people in a CSV file, with roles, groups and channels',
  arguments: ['FILE'],
  options: {
    'dry-run': { help: 'only say what would be done' },
    realm: realmOption,
  },
  details: `FILE is CSV in UTF-8, or - for standard input. Its first line names the columns, in any order: email (needed), name, role
(owner, administrator, moderator, member, guest), groups, channels (several names in a cell are divided by |), state
(active, deactivated).

An address that has no account yet gets one. Accounts that exist change where the file says something else. An empty cell
changes nothing; nobody is removed from a group or a channel, and nobody who is missing in the file is deactivated. New
people join the default channels as well, unless they are guests. They have no password: they sign on through a service, or ask
for one by "Forgot password". The same file can be imported again.

The exit code is 3 if some lines could not be carried out; the others were.`,
  async run(config, { FILE: file }, { 'dry-run': isDry, realm }) {
    const people = peopleIn(await readingFrom(file, () => contentOf(file)))
    return withRealm(config, realm, async (log, site) => {
      const reports: Report[] = []
      const seen = new Map<string, number>()
      for (const person of people) {
        const before = seen.get(person.email.toLowerCase())
        reports.push(
          before === undefined
            ? await take(log, site, person, isDry)
            : failedReport(person, `Line ${before} is about the same address.`),
        )
        if (before === undefined) seen.set(person.email.toLowerCase(), person.line)
      }
      return outcomeOf(reports, isDry)
    })
  },
})

async function contentOf(file: string): Promise<string> {
  const most = cliLimits.peopleFileBytes
  const pieces: Buffer[] = []
  let bytes = 0
  // Counts what arrives: pipes and devices have no size.
  for await (const piece of file === '-' ? process.stdin : createReadStream(file)) {
    bytes += piece.length
    if (bytes > most) {
      throw new Error(`${file === '-' ? 'Standard input' : file} is larger than ${most} bytes.`)
    }
    pieces.push(piece)
  }
  const content = Buffer.concat(pieces)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch {
    throw new UsageError(`${file} is not in UTF-8: save it so, as "CSV UTF-8" in a spreadsheet.`)
  }
}

/** Carries out a line, in a commit of its own. */
async function take(log: RealmLog, site: Site, person: PersonLine, isDry: boolean): Promise<Report> {
  const { line, email } = person
  try {
    const early = planFor(log.state, site, person)
    const outcome = early.user ? (early.changes.length > 0 ? 'updated' : 'unchanged') : 'created'
    const report = {
      line,
      email,
      outcome,
      id: early.user?.id ?? null,
      changes: early.changes,
      problem: null,
    } as const
    if (isDry || outcome === 'unchanged') return report
    const id = await log.commit((change) =>
      carryOut(change, site, email, planFor(change.state, site, person)),
    )
    return { ...report, id }
  } catch (error) {
    // Anything else, such as a database that is gone, ends the command.
    const isForeseen = error instanceof ApiError ? error.status < 500 : isSentence(error)
    if (!isForeseen) throw error
    return failedReport(person, (error as Error).message)
  }
}

function isSentence(error: unknown): error is Error {
  return (
    error instanceof UsageError ||
    (error instanceof Error && error.constructor === Error && !('code' in error))
  )
}

function failedReport({ line, email }: PersonLine, problem: string): Report {
  return { line, email, outcome: 'failed', id: null, changes: [], problem }
}

/** Returns the id of the person. */
async function carryOut(change: Change, site: Site, email: string, plan: PersonPlan): Promise<number> {
  const { user, fullName, role, isActive, groups, channels } = plan
  if (!user) {
    const usual = role === roles.guest ? [] : defaultChannels(change.state)
    const joins = { groups, channels: [...new Set([...usual, ...channels])] }
    return (await addPerson(change, site, { email, fullName, role, joins })).id
  }
  if (isActive && !user.is_active) await reactivate(change, user)
  if (fullName !== user.full_name || role !== user.role) {
    await change.update('account', { id: user.id, full_name: fullName, role })
  }
  await change.insertAll(
    'group_member',
    groups.map(({ id }) => ({ group_id: id, user_id: user.id })),
  )
  if (channels.length > 0) await subscribeUsers(change, { channels, users: [user] })
  if (!isActive && user.is_active) await deactivate(change, user)
  return user.id
}

function outcomeOf(reports: Report[], isDry: boolean): Outcome {
  const count = (outcome: Report['outcome']) => reports.filter((one) => one.outcome === outcome).length
  const counts = {
    created: count('created'),
    updated: count('updated'),
    unchanged: count('unchanged'),
    failed: count('failed'),
  }
  const lines = reports
    .filter(({ outcome }) => outcome !== 'unchanged')
    .map(({ line, email, outcome, changes, problem }) => [
      String(line),
      email,
      outcome,
      problem ?? changes.join(', '),
    ])
  const table = lines.length > 0 ? `${textTable(['LINE', 'EMAIL', 'OUTCOME', 'WHAT'], lines)}\n` : ''
  const { created, updated, unchanged } = counts
  const summary = `${created} created, ${updated} updated, ${unchanged} unchanged, ${counts.failed} failed.`
  return {
    text: `${table}${isDry ? 'Nothing was changed. It would be: ' : ''}${summary}`,
    data: { dry_run: isDry, ...counts, people: reports },
    exitCode: counts.failed > 0 ? exitCodes.incomplete : exitCodes.done,
  }
}
