import { readFile, rm } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Config } from '../../config/config.ts'
import { roles } from '../../db/roles.ts'
import { addLink, newFirstOwnerKey } from '../../features/kernel/mail/links.ts'
import { repeatEvery } from '../../lib/async/repeat-every.ts'
import { hashKey } from '../../lib/secrets/hash-key.ts'
import { realmUrl, type Site } from '../../lib/site.ts'
import type { RealmDatabase } from '../../log/realm-database.ts'
import type { RealmLog } from '../../log/realm-log.ts'
import type { RealmState } from '../../log/realm-state.ts'
import type { Realms } from '../../log/realms.ts'
import { cliLimits } from '../limits.ts'
import { type FirstOrganization, ownerFiles } from '../organizations/first-start.ts'
import { writeForServer } from '../private-file.ts'

/** How often a server whose owner cannot sign in yet looks whether they can, in seconds. */
const lookEvery = 2

/** The organization of the owner, and whether this start of the server has made the link already. */
export type OwnerLink = { organizationId: number; isFresh: boolean }

export function ownerLinkOf({ id, isNew }: FirstOrganization): OwnerLink {
  return { organizationId: id, isFresh: isNew }
}

/**
 * While the owner of the first organization has no password and no identity at a sign-on service, each start makes a
 * new link to choose a password, and the earlier one stops working. The file with the link is removed as soon as the
 * owner can sign in, at this node or at another. Without the file, no link is made. Returns the function that stops
 * looking.
 */
export async function keepOwnerLink(
  config: Config,
  realms: Realms,
  site: Site,
  { organizationId, isFresh }: OwnerLink,
): Promise<() => Promise<void>> {
  const file = ownerFiles(config).link
  const link = await readFile(file, 'utf8').catch(() => undefined)
  if (link === undefined) return async () => {}
  const log = await realms.byId(organizationId)
  const owner = firstOwner(log.state)
  if (!owner || (await canSignIn(log.database, organizationId, owner.id))) {
    await rm(file, { force: true })
    return async () => {}
  }
  if (!isFresh) await renew(log, site, owner, { file, link })
  const looking = repeatEvery(lookEvery, async () => {
    if (!(await canSignIn(log.database, organizationId, owner.id))) return
    await rm(file, { force: true })
    void looking.close()
  })
  looking.now()
  return () => looking.close()
}

type Owner = { id: number; delivery_email: string }

/** The owner that the first start made is the oldest. */
function firstOwner(state: RealmState): Owner | undefined {
  const owners = [...state.users.values()].filter(
    (user) => user.role === roles.owner && user.is_active && user.bot_type === null,
  )
  return owners.sort((a, b) => a.id - b.id)[0]
}

async function renew(log: RealmLog, site: Site, owner: Owner, before: { file: string; link: string }) {
  const key = newFirstOwnerKey()
  await log.commit(async (change) => {
    const hash = hashKey(keyIn(before.link))
    await change.run(sql`DELETE FROM mail_link WHERE realm_id = ${change.state.id} AND hash = ${hash}`)
    await addLink(change, ownerLink(owner), key)
  })
  // If the server is killed before this, the next start makes another.
  await writeForServer(before.file, `${realmUrl(site, log.state.row)}/accounts/password/reset/${key}\n`)
}

function ownerLink({ id, delivery_email }: Owner) {
  const kind = 'reset-password' as const
  return { kind, userId: id, email: delivery_email, seconds: cliLimits.ownerLinkSeconds }
}

const keyIn = (link: string) => link.trim().split('/').at(-1) ?? ''

async function canSignIn({ read }: RealmDatabase, realmId: number, userId: number): Promise<boolean> {
  const found = await Promise.all(
    (['credential', 'identity'] as const).map((table) =>
      read
        .selectFrom(table)
        .where('realm_id', '=', realmId)
        .where('user_id', '=', userId)
        .select('user_id')
        .limit(1)
        .executeTakeFirst(),
    ),
  )
  return found.some((row) => row !== undefined)
}
