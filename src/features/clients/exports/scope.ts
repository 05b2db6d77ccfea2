import { type RawBuilder, sql } from 'kysely'
import type { LongReader } from '../../../db/database.ts'
import type { AccountRow } from '../../../db/schema.ts'
import { loadRealm } from '../../../log/load.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { isActive } from '../../kernel/channels/access.ts'
import { type Visible, visibleIn, visibleSql } from '../../kernel/messages/access.ts'
import { realmSettings } from '../../kernel/settings/settings.ts'
import { userSettings } from '../../kernel/users/settings.ts'
import { emailSeenBy, emailVisibility } from '../../kernel/users/user-view.ts'

/**
 * What an export is of: everything (`full`, for whoever runs the server), what everybody in the organization may see
 * (`public`), that and what is private to those who consent (`consent`), or what is of one person (`person`).
 */
export type ScopeName = 'full' | 'public' | 'consent' | 'person'

/** The same, as it is at one moment. */
export type Scope = {
  name: ScopeName
  /** Whose private data belong to it. */
  people: number[]
  /** Whose e-mail addresses belong to it. */
  shownEmails: number[]
  /** Whether it has what messages were before they were edited. */
  hasHistory: boolean
  channels: number[]
  recipients: number[]
  /** The condition on the table `message` under the alias m. */
  messages: RawBuilder<unknown>
}

const everything: Scope = {
  name: 'full',
  people: [],
  shownEmails: [],
  hasHistory: true,
  channels: [],
  recipients: [],
  messages: sql`true`,
}

/** `personId`: whose data are wanted, of the scope `person`. */
export async function scopeAt(
  read: LongReader,
  realmId: number,
  name: ScopeName,
  personId?: number,
): Promise<Scope> {
  if (name === 'full') return everything
  const state = await loadRealm(read, realmId)
  if (name === 'person') return scopeOfPerson(read, state, personId!)
  const consenting = name === 'consent' ? [...state.users.values()].filter(consents) : []
  const visible = visibleWith(state, consenting)
  const recipients = [...new Set([...visible.whole, ...visible.parts.map((part) => part.recipient)])]
  const people = consenting.map((user) => user.id)
  return {
    name,
    people,
    shownEmails: [...state.users.values()]
      .filter((user) => people.includes(user.id) || showsEmail(user))
      .map((user) => user.id),
    hasHistory: showsHistory(state),
    channels: channelsAmong(state, recipients),
    recipients,
    messages: visibleSql(visible),
  }
}

/** Of the person: what they have written, and the conversations they did so in, or are in. */
async function scopeOfPerson(read: LongReader, state: RealmState, personId: number): Promise<Scope> {
  const rows = await read.rows<{ recipient_id: number }>(sql`
    SELECT DISTINCT recipient_id FROM message WHERE realm_id = ${state.id} AND sender_id = ${personId}`)
  const subscribed = [...state.subscriptionsOfUser(personId)].map(
    ({ channel_id }) => state.channels.get(channel_id)!.recipient_id,
  )
  const direct = [...state.conversationsOfUser(personId)].map((row) => row.id)
  const recipients = [...new Set([...rows.map((row) => row.recipient_id), ...subscribed, ...direct])]
  return {
    name: 'person',
    people: [personId],
    shownEmails: [personId],
    hasHistory: showsHistory(state),
    channels: channelsAmong(state, recipients),
    recipients,
    messages: sql`m.sender_id = ${personId}`,
  }
}

/** Public channels, and what those who consent may read in the channels and conversations that they are in. */
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
    const channel = state.channels.get(subscription.channel_id)!
    if (isActive(subscription) && channel.is_private) yield channel.recipient_id
  }
}

function channelsAmong(state: RealmState, recipients: number[]): number[] {
  return recipients.flatMap((id) => state.recipients.get(id)?.channel_id ?? [])
}

/** Whether somebody lets administrators export what is private to them. */
export function consents(user: AccountRow): boolean {
  return user.bot_type === null && userSettings(user).allow_private_data_export
}

function showsHistory(state: RealmState): boolean {
  return realmSettings(state).message_edit_history_visibility_policy === 'all'
}

/** Whether administrators may see somebody's address. */
function showsEmail(user: AccountRow): boolean {
  return user.bot_type !== null || emailVisibility(user) !== emailSeenBy.nobody
}
