import type { AccountRow, RecipientRow } from '../../../../db/schema.ts'
import { text } from '../../../../http/params.ts'
import { badRequest } from '../../../../lib/api-error.ts'
import type { Site } from '../../../../lib/site.ts'
import { printableName } from '../../../../lib/text/unprintable.ts'
import type { Change } from '../../../../log/change.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
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

/** Returns the conversation of exactly these users (sorted). Creates it in this change if necessary. */
export async function openConversation(change: Change, userIds: readonly number[]): Promise<RecipientRow> {
  const known = change.next.conversationByUsers(userIds.join())
  if (known) return known
  return change.insert('recipient', { user_ids: [...userIds] })
}
