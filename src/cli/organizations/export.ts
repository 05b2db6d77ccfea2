import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import type { Reader } from '../../db/database.ts'
import { writeArchive } from '../../features/clients/exports/archive.ts'
import { type Imported, importArchive } from '../../features/clients/exports/import-archive.ts'
import type { ScopeName } from '../../features/clients/exports/scope.ts'
import { systemClock } from '../../lib/clock.ts'
import { isSubdomain, realmUrl, type Site } from '../../lib/site.ts'
import { noteWhereOpen } from '../../log/audit/note.ts'
import { RealmDatabase } from '../../log/realm-database.ts'
import type { NamedRealm } from '../../log/realm-places.ts'
import type { Realms } from '../../log/realms.ts'
import { type CommandConfig, cliCommand, type Outcome, UsageError } from '../command.ts'
import { nobodyWith, noSuchRealm, realmOption, siteOf, withRealms } from '../context.ts'
import { readingFrom, writingTo } from '../file-faults.ts'
import { configuredFiles } from '../files.ts'
import { remark } from '../output.ts'
import { knownSecretsOf } from '../secret.ts'
import { removedAfter } from '../temporary-directory.ts'
import { fillDatabase } from './fill-database.ts'

const exportRealm = cliCommand('export', {
  summary: 'write an organization into a file, with everything that import needs to make it again',
  arguments: ['FILE'],
  options: {
    realm: realmOption,
    'allow-missing': { help: 'leave out files that are not in the file store, instead of failing' },
    public: { help: 'only what everybody in the organization may see, and nothing that opens accounts' },
  },
  details: `FILE becomes a gzipped tar archive (docs/export-format.md), all of one moment, also while the server runs. Without
--public it holds private messages and the hashes of passwords and keys: keep it like the server itself.`,
  async run(config, { FILE: file }, options) {
    checkIsFile(file)
    return withRealms(config, async (realms, site) => {
      const { database, realm } = await organization(realms, options.realm)
      const place = { config, database, realm, site, allowMissing: options['allow-missing'] }
      const bytes = await writingTo(file, () => exportTo(file, place, options.public ? 'public' : 'full'))
      return { text: `${realm.name} is in ${file} (${sizeOf(bytes)}).`, data: { file, bytes } }
    })
  },
})

const exportUser = cliCommand('user export', {
  summary: 'write the data of one user into a file: account, settings, messages and uploads',
  arguments: ['EMAIL', 'FILE'],
  options: {
    realm: realmOption,
    'allow-missing': { help: 'leave out files that are not in the file store, instead of failing' },
  },
  async run(config, { EMAIL: email, FILE: file }, options) {
    checkIsFile(file)
    return withRealms(config, async (realms, site) => {
      const { database, realm } = await organization(realms, options.realm)
      const user = await personIn(database.read, realm, email)
      const place = { config, database, realm, site, allowMissing: options['allow-missing'] }
      const bytes = await writingTo(file, () => exportTo(file, place, 'person', user.id))
      const text = `The data of ${user.full_name} <${user.delivery_email}> are in ${file} (${sizeOf(bytes)}).`
      return { text, data: { file, bytes } }
    })
  },
})

const importRealm = cliCommand('import', {
  summary: 'make an organization out of a file that export has written, all of it or nothing',
  arguments: ['FILE'],
  options: {
    realm: {
      value: 'NAME',
      help: 'what it is reached as here, - for the public host itself; without it, as where it comes from',
    },
  },
  details: `On a server without a database yet, the database is made. A running server has the organization immediately. Ids stay
as they are; people keep their passwords and clients their keys, unless the export is a public one.`,
  async run(config, { FILE: file }, options) {
    const name = options.realm
    if (name !== undefined) checkNameOrDash(name)
    const content = createReadStream(file)
    // A directory can be opened, but not read.
    await readingFrom(file, () => once(content, 'readable'))
    const made = await importFrom(config, content, name)
    return importedOutcome(made, siteOf(config, await knownSecretsOf(config)))
  },
})

export const exportCommands = [exportRealm, importRealm, exportUser]

// Both read no more than they need: to hold all of a large organization in memory takes time.
async function organization({ places }: Realms, subdomain = ''): Promise<Pick<Place, 'database' | 'realm'>> {
  const [realm] = await places.named([subdomain])
  if (!realm) throw noSuchRealm(subdomain)
  return { realm, database: await RealmDatabase.find(places, realm.id) }
}

async function personIn(read: Reader, { id, name }: NamedRealm, email: string) {
  const user = await read
    .selectFrom('account')
    .where('realm_id', '=', id)
    .where(sql`lower(delivery_email)`, '=', email.toLowerCase())
    .where('is_system_bot', '=', false)
    .select(['id', 'full_name', 'delivery_email'])
    .executeTakeFirst()
  if (!user) throw new Error(nobodyWith(email, name))
  return user
}

type Place = {
  config: CommandConfig
  database: RealmDatabase
  realm: NamedRealm
  site: Site
  allowMissing: boolean
}

/** Elsewhere, - stands for standard output. */
function checkIsFile(file: string) {
  if (file === '-') throw new UsageError('An export is not written to standard output: name a file.')
}

/** Writes it whole or not at all; returns its size in bytes. Only this user of the machine may read it. */
async function exportTo(file: string, place: Place, scope: ScopeName, personId?: number): Promise<number> {
  const { config, database, realm, site, allowMissing } = place
  const unfinished = `${file}.unfinished`
  const source = {
    read: database.read,
    files: configuredFiles(config),
    realmId: realm.id,
    scope,
    allowMissing,
    ...(personId !== undefined && { personId }),
    version: site.version,
    now: site.clock(),
  }
  await rm(unfinished, { force: true })
  return removedAfter(unfinished, async () => {
    await writeArchive(source, (content) =>
      pipeline(content, createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true })),
    )
    const what = personId === undefined ? { object: 'organization' } : { object: 'user', objectId: personId }
    const note = { kind: 'export.write', ...what, details: { scope } } as const
    await noteWhereOpen(database, realm.id, config.actor, note, site.clock())
    await rename(unfinished, file)
    return (await stat(file)).size
  })
}

function importFrom(config: CommandConfig, content: Readable, name: string | undefined): Promise<Imported> {
  return fillDatabase(config, async ({ url, known, takeName }) =>
    importArchive({
      databaseUrl: url,
      known: await known(),
      files: configuredFiles(config),
      content,
      actor: config.actor,
      now: systemClock(),
      report: remark,
      async subdomain({ organization }) {
        const subdomain = name === undefined ? organization.subdomain : name === '-' ? '' : name
        await takeName(subdomain, 'Import this one under another name: add --realm NAME.')
        return subdomain
      },
    }),
  )
}

function importedOutcome({ realmId, manifest, subdomain, end }: Imported, site: Site): Outcome {
  const { organization, tables, scope } = manifest
  const count = (table: string) => tables.find(({ name }) => name === table)?.rows ?? 0
  const url = realmUrl(site, { subdomain })
  const [accounts, channels, messages] = [count('account'), count('channel'), count('message')]
  const lines = [
    `The organization ${organization.name} was imported, at ${url}:`,
    `${accounts} accounts, ${channels} channels, ${messages} messages, ${end.files} files.`,
    `The export was made by Rookery ${manifest.made_by}.`,
  ]
  if (realmId !== organization.id) lines.push(`Its id is ${realmId} here, and was ${organization.id}.`)
  if (scope !== 'full') {
    lines.push('The export has no passwords and keys: rookery user password gives people new ones.')
  }
  const imported = { id: realmId, name: organization.name, subdomain, url }
  return {
    text: lines.join('\n'),
    data: {
      organization: imported,
      accounts,
      channels,
      messages,
      files: end.files,
      made_by: manifest.made_by,
    },
  }
}

/** Throws unless an organization can have this name; - stands for the one at the public host itself. */
export function checkNameOrDash(name: string) {
  if (name === '-' || isSubdomain(name)) return
  throw new UsageError(
    `${name} cannot be an organization's NAME: it has 1 to 40 lower-case letters, digits and hyphens, or is -.`,
  )
}

function sizeOf(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`
}
