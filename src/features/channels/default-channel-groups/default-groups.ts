import type { ChannelRow, DefaultChannelGroupRow } from '../../../db/schema.ts'
import { notBlankPattern, text } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { lower } from '../../../lib/text/lower.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { defaultGroupLimits } from './limits.ts'

export type DefaultGroupView = { id: number; name: string; description: string; streams: number[] }

/** Returns all default channel groups, by id, with those of their channels that all members may join. */
export function defaultGroups(realm: RealmState): DefaultGroupView[] {
  return [...realm.defaultChannelGroups.values()]
    .sort((a, b) => a.id - b.id)
    .map(({ id, name, description, channel_ids }) => {
      const channels = channel_ids.flatMap((id) => realm.channels.get(id) ?? []).filter(canBeOffered)
      return { id, name, description, streams: channels.sort(byName).map((channel) => channel.id) }
    })
}

/** Private and archived channels cannot be offered. */
export function canBeOffered(channel: ChannelRow) {
  return !channel.is_private && !channel.is_archived
}

export function defaultGroup(realm: RealmState, id: number): DefaultChannelGroupRow {
  const group = realm.defaultChannelGroups.get(id)
  if (!group) throw badRequest(`Default channel group with id '${id}' does not exist.`)
  return group
}

/** The name of a group. defaultGroupName checks it. */
export const defaultGroupNameParam = () =>
  text().documentedAs({
    minLength: 1,
    maxLength: defaultGroupLimits.defaultChannelGroupNameLength,
    pattern: notBlankPattern,
  })

/**
 * Returns the name of a group as it is stored, trimmed. Throws if it is invalid, or if a group other than `own` has it.
 */
export function defaultGroupName(realm: RealmState, sent: string, own?: DefaultChannelGroupRow): string {
  const name = sent.trim()
  if (name === '') throw badRequest(`Invalid default channel group name '${sent}'`)
  if ([...name].length > defaultGroupLimits.defaultChannelGroupNameLength) {
    const limit = defaultGroupLimits.defaultChannelGroupNameLength
    throw badRequest(`Default channel group name too long (limit: ${limit} characters)`)
  }
  if (own?.name === name) throw badRequest(`This default channel group is already named '${name}'`)
  for (const group of realm.defaultChannelGroups.values()) {
    if (group.name === name) throw badRequest(`Default channel group '${name}' already exists`)
  }
  return name
}

/** Returns the channels with these names that can belong to the group called `groupName`. */
export function channelsToOffer(realm: RealmState, names: string[], groupName: string): ChannelRow[] {
  return channelsNamed(realm, names).map((channel) => {
    if (channel.is_private) throw badRequest('Private channels cannot be made default.')
    if (channel.is_default) {
      throw badRequest(`'${channel.name}' is a default channel and cannot be added to '${groupName}'`)
    }
    return channel
  })
}

/** Returns the distinct channels with these names; throws for names that do not exist or are archived. */
export function channelsNamed(realm: RealmState, names: string[]): ChannelRow[] {
  const channels = names.map((name) => {
    const channel = realm.channelByName(lower(name.trim()))
    if (!channel || channel.is_archived) throw badRequest(`Invalid channel name '${name}'`)
    return channel
  })
  return [...new Set(channels)]
}

function byName(a: ChannelRow, b: ChannelRow) {
  return a.name < b.name ? -1 : 1
}
