import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { connect } from '../db/database.ts'
import { newApiKey } from '../features/bots/kernel/login/api-keys.ts'
import { newLinkKey } from '../features/kernel/invitations/keys.ts'
import { hashKey } from '../lib/hash-key.ts'
import { repeatEvery } from '../lib/repeat-every.ts'
import type { Site } from '../lib/site.ts'
import type { Realms } from '../log/realms.ts'
import { createOrganization, firstChannels } from '../setup/create-organization.ts'
import { cliLimits } from './limits.ts'
import { writePrivate } from './private-file.ts'
import { zuliprc } from './zuliprc.ts'

/** The first organization, and whether this start has made it. */
type First = { name: string; isNew: boolean }

/** The files with the owner's key, and with the link to choose their password until it is used. */
export function ownerFiles({ dataDirectory }: Config) {
  return { key: join(dataDirectory, 'zuliprc'), link: join(dataDirectory, 'owner-link') }
}

/**
 * Returns the first organization, created if the server has none at all: one that was renamed or deleted while there are
 * others is not made anew. The ways in for its owner are written to files before it
 * exists: if the server is killed in between, the next start makes both anew, so there is never an organization without
 * a way in.
 */
export async function firstOrganization(databaseUrl: string, config: Config, site: Site): Promise<First> {
  const connections = connect(databaseUrl, 2)
  try {
    const known = await connections.read
      .selectFrom('realm')
      .select('name')
      .orderBy('subdomain')
      .limit(1)
      .executeTakeFirst()
    if (known) {
      await updateLink(ownerFiles(config).link, site)
      return { name: known.name, isNew: false }
    }
    const { ownerEmail, organization: name } = config
    const [linkKey, key, files] = [newLinkKey(), newApiKey(), ownerFiles(config)]
    await writePrivate(files.key, zuliprc(ownerEmail, key, site.publicUrl.origin))
    await writePrivate(files.link, `${site.publicUrl.origin}/accounts/password/reset/${linkKey}\n`)
    const link = { key: linkKey, seconds: cliLimits.ownerLinkSeconds }
    const owner = { ownerEmail, ownerName: 'Owner', link, key }
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

/** Has the owner's link lead to the public address, which is often set after the first start. */
async function updateLink(file: string, { publicUrl }: Site) {
  const link = await readFile(file, 'utf8').catch(() => '')
  const updated = link.replace(/^https?:\/\/[^/]+/, publicUrl.origin)
  if (updated !== link) await writePrivate(file, updated)
}

/** How often a server whose owner has not chosen a password yet looks whether they have, in seconds. */
const lookEvery = 2

/**
 * Removes the file with the owner's link when it no longer works: it was used, at this node or at another, it has
 * expired, or a password was set in another way. Returns the function that stops looking.
 */
export async function forgetLinkOnceUsed(
  config: Config,
  { connections }: Realms,
  { clock }: Site,
): Promise<() => Promise<void>> {
  const file = ownerFiles(config).link
  const key = (await readFile(file, 'utf8').catch(() => '')).trim().split('/').at(-1)
  if (!key) return async () => {}
  const looking = repeatEvery(lookEvery, async () => {
    const link = await connections.read
      .selectFrom('mail_link')
      .innerJoin('realm', 'realm.id', 'mail_link.realm_id')
      .where('realm.subdomain', '=', '')
      .where('mail_link.hash', '=', hashKey(key))
      .where('mail_link.expires_at', '>', clock())
      .select('mail_link.hash')
      .executeTakeFirst()
    if (link) return
    await rm(file, { force: true })
    void looking.close()
  })
  looking.now()
  return () => looking.close()
}
