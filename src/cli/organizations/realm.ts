import { isIP } from 'node:net'
import type pg from 'pg'
import { settings } from '../../config/config.ts'
import type { RealmRow } from '../../db/schema.ts'
import { hashPassword } from '../../features/accounts/kernel/login/passwords.ts'
import { checkNameForm } from '../../features/people/kernel/users/names.ts'
import { firstIn } from '../../lib/must.ts'
import { isSubdomain, realmUrl, type Site } from '../../lib/site.ts'
import { isEmail } from '../../lib/text/email.ts'
import type { Realms } from '../../log/realms.ts'
import { createOrganization, firstChannels } from '../../setup/create-organization.ts'
import { type CommandConfig, cliCommand, UsageError } from '../command.ts'
import { realmOption, withRealm, withRealms } from '../context.ts'
import { reachDatabase } from '../database/database.ts'
import { withClient } from '../database/with-client.ts'
import { remark, textTable } from '../output.ts'
import { newPassword } from '../users/password.ts'
import { zuliprc } from '../users/zuliprc.ts'

const createRealm = cliCommand('realm create', {
  summary: 'make a further organization, reached as NAME. in front of the public host name',
  arguments: ['NAME'],
  options: {
    name: { value: '"FULL NAME"', help: 'what people see; without it, NAME' },
    email: { value: 'ADDRESS', help: "the owner's email address; without it, ROOKERY_OWNER_EMAIL" },
    database: {
      value: 'DATABASE',
      help: 'the one of ROOKERY_DATABASES that it is put into; without it, main',
    },
    'owner-name': { value: '"FULL NAME"', help: "the owner's name; without it, Owner" },
  },
  details: `NAME has 1 to 40 lower-case letters, digits and hyphens. The organization exists immediately, also on a server that
runs. The owner's password is printed once, and a key of theirs as a zuliprc. They may create users, but not change
email addresses: see rookery user permission.`,
  async run(config, { NAME: subdomain }, options) {
    checkRealmName(subdomain)
    const name = checkRealmTitle(options.name ?? subdomain)
    const ownerEmail = options.email ?? config.ownerEmail
    if (!isEmail(ownerEmail)) throw new UsageError(`${ownerEmail} is not an email address.`)
    const ownerName = checkNameForm(options['owner-name'] ?? 'Owner')
    return withRealms(config, async (realms, site) => {
      checkHost(site)
      const { database } = options
      if (database !== undefined) checkIsDatabase(realms, database)
      const password = newPassword()
      const owner = { ownerEmail, ownerName, passwordHash: await hashPassword(password) }
      const { result } = await withFreeName(config, realms, subdomain, () =>
        createOrganization(realms.databases, {
          channels: firstChannels,
          ...owner,
          name,
          subdomain,
          database,
          now: site.clock(),
          actor: config.actor,
        }),
      )
      const address = realmUrl(site, { subdomain })
      const text = `The organization ${name} was created.

  address   ${address}
  email     ${ownerEmail}
  password  ${password}

The password is not shown again. The owner's key, for clients that use one:

${zuliprc(ownerEmail, result.key, address)}`
      const owner_key = result.key
      return {
        text,
        data: {
          organization: { name, subdomain, url: address },
          email: ownerEmail,
          password,
          key: owner_key,
        },
      }
    })
  },
})

const listRealms = cliCommand('realm list', {
  summary: 'list the organizations',
  async run(config) {
    return withRealms(config, async (realms, site) => {
      const rows = await allRealms(realms)
      const isOne = realms.databases.all.length === 1
      const lines = rows.map((row) => [
        row.subdomain || '-',
        realmUrl(site, row),
        row.name,
        row.is_deactivated ? 'deactivated' : 'active',
        ...(isOne ? [] : [row.database]),
      ])
      const heads = ['NAME', 'ADDRESS', 'FULL NAME', 'STATE', ...(isOne ? [] : ['DATABASE'])]
      const text = textTable(heads, lines)
      return { text, data: { organizations: rows.map((row) => ({ ...row, url: realmUrl(site, row) })) } }
    })
  },
})

const reactivateRealm = cliCommand('realm reactivate', {
  summary: 'open an organization again that an owner has closed; everything is as it was',
  options: { realm: realmOption },
  async run(config, _, options) {
    return withRealm(config, options.realm, async (realm) => {
      const { name, id, is_deactivated } = realm.state.row
      if (!is_deactivated) throw new Error(`${name} is not deactivated.`)
      await realm.commit((change) => change.update('realm', { id, is_deactivated: false }))
      return { text: `${name} is open again.`, data: { organization: { id, name } } }
    })
  },
})

const gravatar = cliCommand('realm gravatar', {
  summary: 'have avatars come from gravatar.com for those who have uploaded none, or have them drawn here',
  arguments: ['CHOICE'],
  options: { realm: realmOption },
  details: `CHOICE is on or off. At first, the server draws a pattern for each, but clients that ask to compute addresses themselves
(phones) use gravatar.com. With off, none does. With on, all do, by a hash of the email address. Clients see the change when they are started again.`,
  async run(config, { CHOICE: choice }, options) {
    if (choice !== 'on' && choice !== 'off') throw new UsageError('The CHOICE is on or off.')
    return withRealm(config, options.realm, async (realm) => {
      const { name } = await realm.commit((change) => {
        const { id, settings } = change.state.row
        return change.update('realm', { id, settings: { ...settings, gravatar: choice === 'on' } })
      })
      const text = `${name} has avatars ${choice === 'on' ? 'of gravatar.com' : 'drawn here'}.`
      return { text, data: { gravatar: choice === 'on' } }
    })
  },
})

export const realmCommands = [createRealm, listRealms, reactivateRealm, gravatar]

/** Throws unless an organization can have this name. */
function checkRealmName(name: string) {
  if (isSubdomain(name)) return
  throw new UsageError(
    `${name} cannot be an organization's NAME: it has 1 to 40 lower-case letters, digits and hyphens, no hyphen at its ends.`,
  )
}

/** Returns an organization's full name, trimmed. */
export function checkRealmTitle(name: string): string {
  const { parse, type } = settings.organization
  const trimmed = parse(name)
  if (trimmed === undefined) throw new UsageError(`An organization's full name must be ${type}.`)
  return trimmed
}

/** Names of organizations go in front of a host name, not of an IP address. */
export function checkHost({ publicUrl }: Site) {
  if (isIP(publicUrl.hostname.replace(/^\[|\]$/g, '')) === 0) return
  throw new Error(
    `The public address ${publicUrl.origin} is a number, which takes no name in front: set ROOKERY_URL to one with a host name.`,
  )
}

type ListedRealm = Pick<RealmRow, 'id' | 'subdomain' | 'name' | 'is_deactivated'> & { database: string }

/** All organizations, of all databases, in the order of their ids. */
export async function allRealms({ databases, places }: Realms): Promise<ListedRealm[]> {
  const found: ListedRealm[] = []
  for (const [database, { read }] of databases.entries) {
    const rows = await read
      .selectFrom('realm')
      .select(['id', 'subdomain', 'name', 'is_deactivated'])
      .execute()
    for (const row of await places.onlyPlacedIn(database, rows)) found.push({ ...row, database })
  }
  return found.sort((a, b) => a.id - b.id)
}

/** Does work while no other command can take this name. Throws if an organization has it. */
export async function withFreeName<T>(
  config: CommandConfig,
  realms: Realms,
  subdomain: string,
  work: () => Promise<T>,
): Promise<T> {
  const main = await reachDatabase(config, remark)
  try {
    // A pool ends connections that are idle for long, so this one is separate.
    return await withClient(main.url, async (client) => {
      await takeName(client, subdomain, async () => (await realms.places.named([subdomain]))[0])
      return work()
    })
  } finally {
    await main.close()
  }
}

/**
 * Reserves a name in all databases while this connection to the main database lasts. Throws an error of one sentence if
 * an organization has it, which `find` looks for. `advice`: what the operator can do then.
 */
export async function takeName(
  client: pg.ClientBase,
  subdomain: string,
  find: () => Promise<{ name: string } | undefined>,
  advice = 'Choose another name.',
) {
  const query =
    'SELECT pg_try_advisory_lock_shared($1) AS "mayMake", pg_try_advisory_lock($2, hashtext($3)) AS "isFree"'
  type Taken = { mayMake: boolean; isFree: boolean }
  const { mayMake, isFree } = firstIn(
    (await client.query<Taken>(query, [makingLock, namesLock, subdomain])).rows,
  )
  const shown = subdomain || '-'
  if (!mayMake) throw new Error('Orphaned files are being removed: try again when that is finished.')
  if (!isFree)
    throw new Error(`Another command is giving the name ${shown} to an organization: try again in a moment.`)
  const taken = await find()
  if (taken) throw new Error(`There is an organization ${shown} already: ${taken.name}. ${advice}`)
}

/**
 * Does work that removes files of organizations that are in no database, while no command makes one: its files are in the store before
 * its rows can be seen. Throws one sentence, before the work, if one does. `url`: of the main database.
 */
export async function whileNoneIsMade<T>(url: string, work: () => Promise<T>): Promise<T> {
  return withClient(url, async (client) => {
    const query = 'SELECT pg_try_advisory_lock($1) AS "isFree"'
    const { isFree } = firstIn((await client.query<{ isFree: boolean }>(query, [makingLock])).rows)
    if (!isFree) throw new Error('Another command is making an organization: try again when it is finished.')
    return work()
  })
}

/** Any numbers that no other user of the main database locks. */
const namesLock = 0x726f6f6e
const makingLock = 0x726f6f6d

/** Throws if there is no such database. */
export function checkIsDatabase({ databases }: Realms, name: string) {
  const names = databases.entries.map(([known]) => known)
  if (!names.includes(name))
    throw new UsageError(`There is no database ${name}; there are ${names.join(', ')}.`)
}
