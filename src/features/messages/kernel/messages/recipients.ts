import type { AccountRow, RecipientRow } from '../../../../db/schema.ts'
import { text } from '../../../../http/params.ts'
import { badRequest } from '../../../../lib/api-error.ts'
import type { Site } from '../../../../lib/site.ts'
import { printableName } from '../../../../lib/unprintable.ts'
import type { Change } from '../../../../log/change.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import {
  hasPermission,
  hasRealmPermission,
  isInSetting,
  realmPermissionValue,
  systemGroupId,
} from '../../../kernel/groups/access.ts'
import { realmPermissions } from '../../../kernel/groups/permission-settings.ts'
import { apiEmail } from '../../../kernel/users/user-view.ts'
import { canSeeUser } from '../../../kernel/users/user-visibility.ts'
import { findByEmail } from '../../../people/kernel/users/access.ts'
import { messagingLimits } from './limits.ts'

/**
 * Parses the channel in `to`: a name, an id, or a list of exactly one of them, as JSON or as a bare word. A name that
 * looks like a number must be sent as a JSON string.
 */
export function parseChannelTo(to: string): string | number {
  const value = parseLoosely(to)
  const one = Array.isArray(value) ? value : [value]
  if (one.length !== 1) throw badRequest('Expected exactly one channel')
  if (typeof one[0] !== 'string' && !Number.isInteger(one[0]))
    throw badRequest('Invalid data type for channel')
  return one[0]
}

/** Parses the users in `to`: ids or email addresses, one or a list, as JSON or as comma-separated addresses. */
export function parseDirectTo(to: string): number[] | string[] {
  const value = parseLoosely(to)
  const list = typeof value === 'string' ? value.split(',') : value
  if (!Array.isArray(list)) throw badRequest('Invalid data type for recipients')
  if (list.every((item): item is number => Number.isInteger(item))) return list
  if (!list.every((item): item is string | number => typeof item === 'string' || Number.isInteger(item))) {
    throw badRequest('Invalid data type for recipients')
  }
  if (list.some((item) => typeof item === 'number')) {
    throw badRequest('Recipient lists may contain emails or user IDs, but not both.')
  }
  return (list as string[]).map((email) => email.trim()).filter(Boolean)
}

// Clients send both `Denmark` and `"Denmark"`.
function parseLoosely(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Returns the participants of the direct conversation with these users, including the sender, sorted by id. */
export function participants(
  realm: RealmState,
  site: Site,
  me: AccountRow,
  to: number[] | string[],
): AccountRow[] {
  if (to.length === 0) throw badRequest('Message must have recipients')
  if (to.length > messagingLimits.directMessagePeople) {
    throw badRequest(`to has too many values (limit: ${messagingLimits.directMessagePeople})`)
  }
  return [...new Set([me, ...peopleNamed(realm, site, me, to)])].sort((a, b) => a.id - b.id)
}

/** Returns the named users. Throws unless the caller may know of all of them and all are active. */
export function peopleNamed(
  realm: RealmState,
  site: Site,
  me: AccountRow,
  to: number[] | string[],
): AccountRow[] {
  return to.map((ref) => {
    const user = typeof ref === 'number' ? realm.users.get(ref) : findByEmail(realm, site, me, ref)
    if (!user) throw badRequest(typeof ref === 'number' ? `Invalid user ID ${ref}` : `Invalid email '${ref}'`)
    if (!canSeeUser(realm, me, user)) {
      throw badRequest('You do not have permission to access some of the recipients.')
    }
    if (!user.is_active && user.id !== me.id) {
      throw badRequest(`'${apiEmail(realm, site, user)}' is no longer using Zulip.`)
    }
    return user
  })
}

/**
 * Throws unless the organization lets these users talk. At least one of them must be in
 * direct_message_permission_group. Beginning a conversation requires membership in direct_message_initiator_group.
 * Messages to the sender and to bots are always allowed.
 */
export function checkMayTalk(realm: RealmState, me: AccountRow, people: AccountRow[]) {
  const others = people.filter((person) => person.id !== me.id)
  if (others.every((person) => person.bot_type !== null)) return
  const permission = realmPermissionValue(realm, 'direct_message_permission_group')
  if (permission === systemGroupId(realm, 'role:nobody')) {
    throw badRequest('Direct messages are disabled in this organization.')
  }
  const setting = realmPermissions.direct_message_permission_group
  if (
    !people.some(
      (person) => hasPermission(realm, person, permission, setting) && isInSetting(realm, person, permission),
    )
  ) {
    throw badRequest('This conversation does not include any users who can authorize it.')
  }
  if (!conversationOf(realm, people) && !hasRealmPermission(realm, me, 'direct_message_initiator_group')) {
    throw badRequest('You do not have permission to initiate direct message conversations.')
  }
}

const several = { type: 'array', minItems: 1, maxItems: messagingLimits.directMessagePeople }
const name = { type: 'string', ...printableName }

/**
 * The parameter `to` of a message: a channel's id or name, or users' ids or email addresses, as JSON or as plain text.
 * Without it, a bot writes to its default channel.
 */
export const toParam = () =>
  text().documentedAs(
    {
      description: 'Required, unless the caller is a bot that has a default channel.',
      anyOf: [
        { ...several, items: { type: 'integer' } },
        { ...several, items: name },
        { type: 'integer' },
        name,
      ],
    },
    { isJson: true },
  )

/** Returns the conversation of exactly these users (sorted by id), if it has begun. */
export function conversationOf(
  realm: RealmState,
  people: readonly Pick<AccountRow, 'id'>[],
): RecipientRow | undefined {
  return realm.conversationByUsers(people.map((person) => person.id).join())
}

/** Returns the conversation of exactly these users (sorted). Creates it in this change if necessary. */
export async function openConversation(change: Change, userIds: readonly number[]): Promise<RecipientRow> {
  const known = change.next.conversationByUsers(userIds.join())
  if (known) return known
  return change.insert('recipient', { user_ids: [...userIds] })
}
