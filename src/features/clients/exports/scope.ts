import { type RawBuilder, sql } from 'kysely'
import type { LongReader } from '../../../db/database.ts'
import type { AccountRow } from '../../../db/schema.ts'
import { must } from '../../../lib/must.ts'
import { loadRealm } from '../../../log/load.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { hasMetadataAccess, isActive } from '../../kernel/channels/access.ts'
import { type Visible, visibleIn, visibleSql } from '../../kernel/messages/access.ts'
import { realmSettings } from '../../kernel/settings/settings.ts'
import { userSetting } from '../../kernel/users/settings.ts'
import { emailSeenBy, emailVisibility } from '../../kernel/users/user-view.ts'

/**
 * The scope of an export: everything (`full`, for the server's operators), everything that all users of the
 * organization may see (`public`), that and the private data of users who consent (`consent`), or one user's data
 * (`person`).
 */
export type ScopeName = 'full' | 'public' | 'consent' | 'person'

/** A scope in one snapshot. */
export type Scope = {
  name: ScopeName
  /** The users whose private data it includes. */
  people: number[]
  /** The users whose email addresses it includes. */
  shownEmails: number[]
  /** Whether it includes earlier versions of edited messages. */
  hasHistory: boolean
  channels: number[]
  recipients: number[]
  /** The condition on the table `message` under the alias m. */
  messages: RawBuilder<unknown>
  /** The condition on the same table for messages that it includes with what others have made of their topic. */
  topics: RawBuilder<unknown>
}

const everything: Scope = {
  name: 'full',
  people: [],
  shownEmails: [],
  hasHistory: true,
  channels: [],
  recipients: [],
  messages: sql`true`,
  topics: sql`true`,
}

/** `personId`: the user, for the scope `person`. */
export async function scopeAt(
  read: LongReader,
  realmId: number,
  name: ScopeName,
  now: number,
  personId?: number,
): Promise<Scope> {
  if (name === 'full') return everything
  const state = await loadRealm(read, realmId, () => now)
  if (name === 'person') return scopeOfPerson(read, state, must(personId, 'person'))
  const consenting = name === 'consent' ? [...state.users.values()].filter(consents) : []
  const visible = visibleWith(state, consenting)
  const recipients = [...new Set([...visible.whole, ...visible.parts.map((part) => part.recipient)])]
  const people = consenting.map((user) => user.id)
  const isConsenting = new Set(people)
  return {
    name,
    people,
    shownEmails: [...state.users.values()]
      .filter((user) => isConsenting.has(user.id) || showsEmail(user))
      .map((user) => user.id),
    hasHistory: showsHistory(state),
    channels: channelsAmong(state, recipients),
    recipients,
    messages: visibleSql(visible),
    topics: sql`true`,
  }
}

/**
 * Returns the scope of a user: the messages that they wrote, and the conversations in which they wrote or participate.
 * Channels that they may no longer know of are left out, and topics that they may no longer read: others may have given
 * those new names.
 */
async function scopeOfPerson(read: LongReader, state: RealmState, personId: number): Promise<Scope> {
  const rows = await read.rows<{ recipient_id: number }>(sql`
    SELECT DISTINCT recipient_id FROM message WHERE realm_id = ${state.id} AND sender_id = ${personId}`)
  const subscribed = [...state.subscriptionsOfUser(personId)].map(
    ({ channel_id }) => state.channels.require(channel_id).recipient_id,
  )
  const direct = [...state.conversationsOfUser(personId)].map((row) => row.id)
  const recipients = [...new Set([...rows.map((row) => row.recipient_id), ...subscribed, ...direct])]
  const person = state.users.require(personId)
  return {
    name: 'person',
    people: [personId],
    shownEmails: [personId],
    hasHistory: showsHistory(state),
    channels: channelsAmong(state, recipients).filter((id) =>
      hasMetadataAccess(state, person, state.channels.require(id)),
    ),
    recipients,
    messages: sql`m.sender_id = ${personId}`,
    topics: visibleSql(visibleIn(state, person, recipients)),
  }
}

/** Returns public channels, and the messages that consenting users may read in their channels and conversations. */
function visibleWith(state: RealmState, consenting: AccountRow[]): Visible {
  const open = [...state.channels.values()].filter((channel) => !channel.is_private)
  const whole = new Set(open.map((channel) => channel.recipient_id))
  const parts: Visible['parts'] = []
  for (const user of consenting) {
    const seen = visibleIn(state, user, ownConversations(state, user))
    for (const recipient of seen.whole) whole.add(recipient)
    parts.push(...seen.parts)
  }
  return { whole: [...whole], parts: parts.filter((part) => !whole.has(part.recipient)) }
}

function* ownConversations(state: RealmState, user: AccountRow) {
  for (const { id } of state.conversationsOfUser(user.id)) yield id
  for (const subscription of state.subscriptionsOfUser(user.id)) {
    const channel = state.channels.require(subscription.channel_id)
    if (isActive(subscription) && channel.is_private) yield channel.recipient_id
  }
}

function channelsAmong(state: RealmState, recipients: number[]): number[] {
  return recipients.flatMap((id) => state.recipients.get(id)?.channel_id ?? [])
}

/** Returns whether a user lets administrators export their private data. */
export function consents(user: AccountRow): boolean {
  return user.bot_type === null && userSetting(user, 'allow_private_data_export')
}

function showsHistory(state: RealmState): boolean {
  return realmSettings(state).message_edit_history_visibility_policy === 'all'
}

/** Returns whether administrators may see a user's address. */
function showsEmail(user: AccountRow): boolean {
  return user.bot_type !== null || emailVisibility(user) !== emailSeenBy.nobody
}
