import type { ChannelRow } from '../../db/schema.ts'
import { createChannels } from '../../features/channels/kernel/channels/create-channels.ts'
import { subscribeUsers } from '../../features/channels/subscriptions/subscribe-users.ts'
import { channelLimits } from '../../features/kernel/channels/limits.ts'
import { openConversation } from '../../features/messages/kernel/messages/recipients.ts'
import { firstIn } from '../../lib/must.ts'
import { firstCharacters } from '../../lib/text/characters.ts'
import type { Change } from '../../log/change.ts'
import { emptyLookup } from '../../markdown/lookup.ts'
import { renderDescription } from '../../markdown/render.ts'
import { freeChannelName } from '../names.ts'
import { markdownOf, type SlackNames } from './mrkdwn.ts'
import type { SlackAccounts } from './slack-accounts.ts'
import type { SlackPlace } from './slack-export.ts'

/** The conversation that messages of a Slack conversation go into. `userIds`: its participants; null for a channel. */
export type ImportedPlace = {
  recipientId: number
  channel: ChannelRow | undefined
  userIds: readonly number[] | null
  /** The users who may read there; undefined for a public channel. */
  readers: ReadonlySet<number> | undefined
}

/** In place of the name of a private channel, for those who may not know it. */
export const unnamedChannel = 'a private channel'

/** Makes the channels and conversations of an export, with their members. Returns them by their ids at Slack. */
export async function addPlaces(
  change: Change,
  places: readonly SlackPlace[],
  accounts: SlackAccounts,
): Promise<Map<string, ImportedPlace>> {
  const made = new Map<string, ImportedPlace>()
  const names = namesOf(places, accounts)
  for (const place of places) {
    if (place.kind === 'direct') {
      if (place.members.length > 0) made.set(place.id, await addConversation(change, place, accounts))
    } else made.set(place.id, await addChannel(change, place, accounts, names))
    // No client has heard of the organization yet, so nobody is told.
    change.events.length = 0
  }
  return made
}

async function addChannel(
  change: Change,
  place: SlackPlace,
  accounts: SlackAccounts,
  names: SlackNames,
): Promise<ImportedPlace> {
  const members = [...new Set(place.members.flatMap((id) => accounts.get(id) ?? []))]
  const description = descriptionOf(place, names)
  const readers = place.kind === 'private' ? new Set(members.map(({ id }) => id)) : undefined
  const creator = accounts.get(place.creator ?? '')
  // Creators administer their channels, and know private ones. One who has left has no more to do with it.
  const isThere = creator && (!readers || readers.has(creator.id))
  const wanted = {
    name: freeChannelName(change, place.name ?? place.id),
    description,
    rendered_description: renderDescription(description, emptyLookup),
    is_private: place.kind === 'private',
    is_web_public: false,
    history_public_to_subscribers: true,
    is_default: place.is_general && place.kind === 'channel' && !place.is_archived,
    message_retention_days: null,
    topics_policy: 'inherit',
    folder_id: null,
    permissions: {},
  }
  const channel = firstIn(await createChannels(change, isThere ? creator : null, [wanted], members))
  await subscribeUsers(change, { channels: [channel], users: members })
  const { id } = channel
  const row = await change.update('channel', {
    id,
    is_archived: place.is_archived,
    created_at: place.created || change.now,
  })
  return { recipientId: row.recipient_id, channel: row, userIds: null, readers }
}

/** People whom the export does not list take part, too: without them it would be another conversation. */
async function addConversation(
  change: Change,
  { members }: SlackPlace,
  accounts: SlackAccounts,
): Promise<ImportedPlace> {
  const ids = new Set<number>()
  for (const member of members) ids.add((await accounts.person(member)).id)
  const userIds = [...ids].sort((a, b) => a - b)
  const { id } = await openConversation(change, userIds)
  return { recipientId: id, channel: undefined, userIds, readers: ids }
}

/** Returns the description of a channel: its purpose at Slack, or else its topic there. */
function descriptionOf({ purpose, topic }: SlackPlace, names: SlackNames): string {
  const text = markdownOf(purpose.value || topic.value || '', names).replaceAll(/\s+/g, ' ')
  return firstCharacters(text.replaceAll('\0', ''), channelLimits.channelDescriptionLength)
}

/** Descriptions mention nobody, and link to no channels: those may not be there yet. */
function namesOf(places: readonly SlackPlace[], accounts: SlackAccounts): SlackNames {
  const byId = new Map(places.map((place) => [place.id, place]))
  return {
    person: (id) => accounts.get(id)?.full_name,
    channel(id) {
      const { name, kind } = byId.get(id) ?? {}
      return kind === 'channel' && name !== undefined ? `#${name}` : kind && unnamedChannel
    },
  }
}
