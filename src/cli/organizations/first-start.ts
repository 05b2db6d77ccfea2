import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../config/config.ts'
import { Databases } from '../../db/databases.ts'
import { newApiKey } from '../../features/bots/kernel/login/api-keys.ts'
import { newFirstOwnerKey } from '../../features/kernel/mail/links.ts'
import type { Site } from '../../lib/site.ts'
import { createOrganization, firstChannels } from '../../setup/create-organization.ts'
import { cliLimits } from '../limits.ts'
import { writeForServer } from '../private-file.ts'
import { zuliprc } from '../users/zuliprc.ts'

/** The first organization, and whether this start has made it. */
export type FirstOrganization = { id: number; name: string; isNew: boolean }

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
export async function firstOrganization(
  databaseUrl: string,
  config: Config,
  site: Site,
): Promise<FirstOrganization> {
  const databases = Databases.connect({ databaseUrl, databases: config.databases }, 2)
  try {
    const known = await anyOrganization(databases)
    if (known) {
      await updateSite(ownerFiles(config).key, site)
      return { id: known.id, name: known.name, isNew: false }
    }
    const { ownerEmail, organization: name } = config
    const [linkKey, key, files] = [newFirstOwnerKey(), newApiKey(), ownerFiles(config)]
    await writeForServer(files.key, zuliprc(ownerEmail, key, site.publicUrl.origin))
    await writeForServer(files.link, `${site.publicUrl.origin}/accounts/password/reset/${linkKey}\n`)
    const link = { key: linkKey, seconds: cliLimits.ownerLinkSeconds }
    const owner = { ownerEmail, ownerName: 'Owner', link, key }
    const organization = { name, subdomain: '', channels: firstChannels, now: site.clock() }
    const creating = createOrganization(databases, { ...organization, ...owner })
    const { realmId } = await creating.catch(async (error) => {
      for (const file of Object.values(files)) await rm(file, { force: true })
      throw error
    })
    return { id: realmId, name, isNew: true }
  } finally {
    await databases.close()
  }
}

/** The first organization of all databases; also one that a move has closed. */
async function anyOrganization({ all }: Databases) {
  const found = await Promise.all(
    all.map(({ read }) => {
      const open = read.selectFrom('realm_head').select('realm_id')
      return read
        .selectFrom('realm')
        .where('id', 'in', open.unionAll(read.selectFrom('moved_head').select('realm_id')))
        .select(['id', 'name', 'subdomain'])
        .orderBy('subdomain')
        .limit(1)
        .executeTakeFirst()
    }),
  )
  return found.filter((one) => one !== undefined).sort((a, b) => (a.subdomain < b.subdomain ? -1 : 1))[0]
}

/** Has the file with the owner's key name the public address, which is often set after the first start. */
async function updateSite(file: string, { publicUrl }: Site) {
  const text = await readFile(file, 'utf8').catch(() => '')
  // Only the section that the server wrote is changed; the rest belongs to the owner.
  const updated = text.replace(/(?<=^\[api\]\nemail=.*\nkey=.*\nsite=)https?:\/\/.*/, publicUrl.origin)
  if (updated !== text) await writeForServer(file, updated)
}
