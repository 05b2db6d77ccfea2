import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { connect } from '../db/database.ts'
import { hashPassword, isPassword } from '../features/accounts/kernel/login/passwords.ts'
import { newApiKey } from '../features/bots/kernel/login/api-keys.ts'
import type { Site } from '../lib/site.ts'
import type { Entry } from '../log/entry.ts'
import type { Realms } from '../log/realms.ts'
import { createOrganization, firstChannels } from '../setup/create-organization.ts'
import { newPassword } from './password.ts'
import { writePrivate } from './private-file.ts'
import { zuliprc } from './zuliprc.ts'

/** The first organization, and whether this start has made it. */
type First = { name: string; isNew: boolean }

/** The files with the owner's key, and with their password until they have logged in. */
export function ownerFiles({ dataDirectory }: Config) {
  return { key: join(dataDirectory, 'zuliprc'), password: join(dataDirectory, 'owner-password') }
}

/**
 * Returns the first organization, created if there is none. Its owner's credentials are written to files before it
 * exists: if the server is killed in between, the next start makes both anew, so there is never an organization without
 * a way in.
 */
export async function firstOrganization(databaseUrl: string, config: Config, site: Site): Promise<First> {
  const connections = connect(databaseUrl, 2)
  try {
    const known = await connections.read
      .selectFrom('realm')
      .where('subdomain', '=', '')
      .select('name')
      .executeTakeFirst()
    if (known) return { name: known.name, isNew: false }
    const { ownerEmail, organization: name } = config
    const [password, key, files] = [newPassword(), newApiKey(), ownerFiles(config)]
    const passwordHash = await hashPassword(password)
    await writePrivate(files.key, zuliprc(ownerEmail, key, site.publicUrl.origin))
    await writePrivate(files.password, `e-mail    ${ownerEmail}\npassword  ${password}\n`)
    const owner = { ownerEmail, ownerName: 'Owner', passwordHash, key }
    const organization = { name, subdomain: '', channels: firstChannels, now: site.clock() }
    await createOrganization(connections, { ...organization, ...owner }).catch(async (error) => {
      for (const file of Object.values(files)) await rm(file, { force: true })
      throw error
    })
    return { name, isNew: true }
  } finally {
    await connections.close()
  }
}

/** Removes the file with the owner's password when they have logged in, be it at this node or at another. */
export async function forgetPasswordOnceUsed(config: Config, realms: Realms): Promise<void> {
  const file = ownerFiles(config).password
  const shown = await passwordIn(file)
  if (!shown) return
  const realm = await realms.bySubdomain('')
  const owner = realm?.state.userByEmail(shown.email)
  if (!realm || !owner || !(await isStillTheirs(realms, realm.state.id, owner.id, shown.password))) {
    await rm(file, { force: true })
    return
  }
  // Using the initial key changes its row, so only other keys count.
  const given = new Set([...realm.state.apiKeysOfUser(owner.id)].map(({ id }) => id))
  const isLogin = ({ rows }: Entry) =>
    (rows ?? []).some(([table, key, row]) => {
      const isNew = table === 'session' || (table === 'api_key' && !given.has(Number(key)))
      return isNew && row !== null && (row as { user_id: number }).user_id === owner.id
    })
  realms.listen((log, entries) => {
    if (log === realm && entries.some(isLogin)) void rm(file, { force: true }).catch(() => {})
  })
}

/** Whether a user has this password, and has not logged in yet with any but the initial key. */
async function isStillTheirs({ connections }: Realms, realmId: number, userId: number, password: string) {
  const of = (table: 'credential' | 'session' | 'api_key') =>
    connections.read.selectFrom(table).where('realm_id', '=', realmId).where('user_id', '=', userId)
  const credential = await of('credential').select('password_hash').executeTakeFirst()
  const sessions = await of('session').select('id').executeTakeFirst()
  const keys = await of('api_key').select('id').limit(2).execute()
  return sessions === undefined && keys.length <= 1 && isPassword(credential?.password_hash, password)
}

async function passwordIn(file: string): Promise<{ email: string; password: string } | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '')
  const [, email, password] = /^e-mail +(\S+)\npassword +(\S+)\n$/.exec(text) ?? []
  return email && password ? { email: email.toLowerCase(), password } : undefined
}
