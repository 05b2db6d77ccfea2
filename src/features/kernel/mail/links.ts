import { sql } from 'kysely'
import type { Reader } from '../../../db/database.ts'
import { isRecent } from '../../../db/recently.ts'
import type { MailLinkRow } from '../../../db/schema.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { firstIn, must } from '../../../lib/must.ts'
import { hashKey } from '../../../lib/secrets/hash-key.ts'
import type { Change } from '../../../log/change.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { newLinkKey } from '../invitations/keys.ts'
import { mailLimits } from './limits.ts'

/** The action that a link allows. */
export type LinkKind =
  | 'reset-password'
  | 'change-email'
  | 'unsubscribe-missed'
  | 'unsubscribe-logins'
  | 'unsubscribe-digests'

type NewLink = { kind: LinkKind; userId: number; email: string; seconds: number }

/** Adds a link for a mail to this address. Returns the link's key, which is not stored. */
export async function addLink(change: Change, link: NewLink, key = newLinkKey()): Promise<string> {
  await insertLinks(change, [link], [key])
  return key
}

/** Adds links for mails to many users. Returns their keys, in order. */
export async function addLinks(change: Change, links: NewLink[]): Promise<string[]> {
  const keys = links.map(() => newLinkKey())
  if (links.length > 0) await insertLinks(change, links, keys)
  return keys
}

async function insertLinks(change: Change, links: NewLink[], keys: string[]) {
  const users = links.map(({ userId }) => userId)
  await change.run(sql`DELETE FROM mail_link WHERE realm_id = ${change.state.id} AND expires_at < ${change.now}
    AND user_id = ANY(${users}::integer[]) AND created_at < ${change.now - day}`)
  const rows = links.map(({ kind, userId, email, seconds }, index) => ({
    hash: hashKey(must(keys[index], 'key of the link')),
    kind,
    user_id: userId,
    email,
    created_at: change.now,
    expires_at: change.now + seconds,
  }))
  await change.insertAll('mail_link', rows)
}

/** Returns the link of one of these kinds with this key; throws 400 if it does not exist or has expired. */
export async function linkByKey(
  { realm, read, now }: { realm: RealmState; read: Reader; now: number },
  kinds: LinkKind[],
  key: string,
): Promise<MailLinkRow> {
  const link = await read
    .selectFrom('mail_link')
    .where('realm_id', '=', realm.id)
    .where('hash', '=', hashKey(key))
    .where('kind', 'in', kinds)
    .where('expires_at', '>', now)
    .selectAll()
    .executeTakeFirst()
  if (!link) throw linkIsOver(kinds, key)
  return link
}

/**
 * Uses a link up, along with all other links of its kind for the same user. Throws 400 if a concurrent request has used
 * it.
 */
export async function useLink(change: Change, { hash, kind, user_id }: MailLinkRow) {
  const used = await change.run(sql<{ hash: string }>`
    DELETE FROM mail_link WHERE realm_id = ${change.state.id} AND user_id = ${user_id} AND kind = ${kind} RETURNING hash`)
  if (!used.some((link) => link.hash === hash)) throw linkIsOver([kind as LinkKind])
}

/** Invalidates a user's links of a kind. */
export async function endLinks(change: Change, kind: LinkKind, userId: number) {
  await change.run(
    sql`DELETE FROM mail_link WHERE realm_id = ${change.state.id} AND user_id = ${userId} AND kind = ${kind}`,
  )
}

/** Returns whether a user has reached the limits for recent links of a kind, which apply per hour and per day. */
export async function hasEnoughLinks(change: Change, kind: LinkKind, userId: number): Promise<boolean> {
  const made = firstIn(
    await change.run(sql<{ hour: number; day: number }>`
    SELECT count(*) FILTER (WHERE ${isRecent('created_at', change.now, hour)}) AS hour, count(*) AS day FROM mail_link
    WHERE realm_id = ${change.state.id} AND user_id = ${userId} AND kind = ${kind} AND ${isRecent('created_at', change.now, day)}`),
  )
  return made.hour >= mailLimits.linksPerHour || made.day >= mailLimits.linksPerDay
}

const hour = 3_600
const day = 86_400

/** Returns a key of the link by which the first owner chooses a password. The page of a link that is over knows it by this. */
export function newFirstOwnerKey(): string {
  return `${firstOwner}${newLinkKey()}`
}

const firstOwner = 'first-'

/** The page cannot tell more than the kind of a link that was used: it is no longer stored. */
function linkIsOver([kind]: LinkKind[], key = '') {
  if (kind === 'change-email') return badRequest(emailLinkIsOver)
  if (kind !== 'reset-password') return badRequest(unsubscribeLinkIsOver)
  return badRequest(key.startsWith(firstOwner) ? ownerLinkIsOver : passwordLinkIsOver)
}

const emailLinkIsOver =
  'This link has been used already, or has expired. If your email address is still the old one, change it again in your settings.'
const unsubscribeLinkIsOver = 'This link has expired. You can turn these emails off in your settings.'
const passwordLinkIsOver =
  'This link has been used already, or has expired. To get a new one, choose "Forgot your password?" on the page to sign in. If no email arrives, ask the operator of this server, who sets a password with the command rookery user password.'
const ownerLinkIsOver =
  'This link has been used already, or has expired. If you have chosen a password with it, sign in. If not, start the server again: it makes a new link, and says where that is. The command rookery user password sets a password, too.'
