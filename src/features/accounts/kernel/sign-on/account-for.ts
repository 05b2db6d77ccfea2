import { sql } from 'kysely'
import type { Identity } from '../../../../adapters/sign-on/sign-on.ts'
import { roles } from '../../../../db/roles.ts'
import type { AccountRow } from '../../../../db/schema.ts'
import { ApiError } from '../../../../lib/api-error.ts'
import { isEmail } from '../../../../lib/text/email.ts'
import type { Change } from '../../../../log/change.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { defaultChannels } from '../../../channels/kernel/channels/default-channels.ts'
import { checkFullName } from '../../../people/kernel/users/names.ts'
import { grantsOf, invitationTo } from '../invitations/accepted-invitation.ts'
import { checkRealmActive, checkUserActive, type LoginContext } from '../login/login-context.ts'
import { addPerson } from '../users/add-person.ts'
import { followGroups, followRole, groupsFor, roleFor } from './roles-and-groups.ts'

/**
 * Returns the account for an identity at another service: the linked account, or else the one with their address if the
 * service has verified it, or else a new one if they are invited or the server creates accounts. Role and groups follow
 * those at the service. Throws 401 and 400 with the reason.
 */
export async function accountFor(context: LoginContext, identity: Identity): Promise<AccountRow> {
  const { realm, commit } = context
  checkRealmActive(realm)
  const user = await commit(async (change) => {
    const known = (await linkedAccount(change, identity)) ?? (await accountByEmail(change, identity))
    if (!known) return newAccount(change, context, identity)
    if (!known.is_active) {
      change.note({ kind: 'login.fail', object: 'user', objectId: known.id })
      return known
    }
    await followRole(change, known, identity.groups, context.adapters.signOn?.roles)
    await followGroups(change, known, identity.groups, context.adapters.signOn?.groups)
    return known
  })
  return checkUserActive(user)
}

async function linkedAccount(change: Change, { link }: Identity): Promise<AccountRow | undefined> {
  if (!link) return undefined
  const [row] = await change.run(sql<{ user_id: number }>`
    SELECT user_id FROM identity
    WHERE realm_id = ${change.state.id} AND issuer = ${link.issuer} AND subject = ${link.id}`)
  return row && change.state.users.get(row.user_id)
}

async function accountByEmail(change: Change, identity: Identity): Promise<AccountRow | undefined> {
  const { email, link, isEmailVerified } = identity
  if (!isEmail(email)) throw loginRefused('The sign-on service has not provided your email address.')
  if (!isEmailVerified) throw loginRefused('The sign-on service has not verified your email address.')
  const user = change.state.userByEmail(email.toLowerCase())
  if (!user) return undefined
  if (user.bot_type !== null) throw loginRefused('Your email address belongs to a bot here.')
  if (link && user.is_active) await linkWith(change, user, link)
  return user
}

// At the service an address may pass to another person, but the linked account does not.
async function linkWith(change: Change, user: AccountRow, { issuer, id }: NonNullable<Identity['link']>) {
  const [other] = await change.run(sql<{ subject: string }>`
    SELECT subject FROM identity
    WHERE realm_id = ${change.state.id} AND issuer = ${issuer} AND user_id = ${user.id}`)
  if (other) {
    throw loginRefused(
      `The account ${user.delivery_email} is linked to another person at the sign-on service. An administrator of the server can remove the link.`,
    )
  }
  await change.insert('identity', { issuer, subject: id, user_id: user.id })
}

async function newAccount(change: Change, { site, adapters }: LoginContext, identity: Identity) {
  const { email, link, groups: theirs } = identity
  const { state } = change
  const { signOn } = adapters
  const invitation = await invitationTo(change, email)
  if (!invitation && !signOn?.createsAccounts) {
    throw loginRefused(`There is no account for ${email} in this organization. Ask for an invitation.`)
  }
  const given = invitation && grantsOf(state, invitation)
  const { channels, groups } = given?.joins ?? { channels: defaultChannels(state), groups: [] }
  const user = await addPerson(change, site, {
    email,
    fullName: nameFor(state, identity),
    ...given,
    role: roleFor(theirs, signOn?.roles) ?? given?.role ?? roles.member,
    joins: { channels, groups: [...new Set([...groups, ...groupsFor(state, theirs, signOn?.groups)])] },
  })
  if (link) await linkWith(change, user, link)
  return user
}

/** Returns the name from the service, as far as it is allowed here, or else the local part of the address. */
function nameFor(realm: RealmState, { name, email }: Identity): string {
  const [local = ''] = email.split('@')
  const cleaned = name.replace(/[*`\\>"@|]|\p{C}/gu, ' ').replace(/\s+/g, ' ')
  for (const candidate of [cleaned, local, `${local} ${email.slice(local.length + 1)}`]) {
    try {
      return checkFullName(realm, candidate)
    } catch {}
  }
  return checkFullName(realm, `User ${realm.users.size + 1}`)
}

function loginRefused(message: string) {
  return new ApiError(message, 'AUTHENTICATION_FAILED', 401)
}
