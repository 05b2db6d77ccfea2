import type { AccountRow, ChannelRow } from '../../db/schema.ts'
import { createChannels } from '../../features/channels/kernel/channels/create-channels.ts'
import { subscribeUsers } from '../../features/channels/subscriptions/subscribe-users.ts'
import { channelLimits } from '../../features/kernel/channels/limits.ts'
import { openConversation } from '../../features/messages/kernel/messages/recipients.ts'
import { lower } from '../../lib/lower.ts'
import { firstIn } from '../../lib/must.ts'
import { withoutUnprintable } from '../../lib/unprintable.ts'
import type { Change } from '../../log/change.ts'
import { emptyLookup } from '../../markdown/lookup.ts'
import { renderDescription } from '../../markdown/render.ts'
import { markdownOf, type SlackNames } from './mrkdwn.ts'
import type { SlackAccounts } from './slack-accounts.ts'
import type { SlackPlace } from './slack-export.ts'

/** Where messages of a place go. `userIds`: the participants of a conversation; of a channel, null. */
export type ImportedPlace = {
  recipientId: number
  channel: ChannelRow | undefined
  userIds: readonly number[] | null
}

/** Makes the channels and conversations of an export, with their members. Returns them by their ids at Slack. */
export async function addPlaces(
  change: Change,
  places: readonly SlackPlace[],
  accounts: SlackAccounts,
): Promise<Map<string, ImportedPlace>> {
  const made = new Map<string, ImportedPlace>()
  for (const place of places) {
    const members = [...new Set(place.members)].flatMap((id) => accounts.get(id) ?? [])
    if (place.kind !== 'direct') made.set(place.id, await addChannel(change, place, members, accounts))
    else if (members.length > 0) made.set(place.id, await addConversation(change, members))
    // No client has heard of the organization yet, so nobody is told.
    change.events.length = 0
  }
  return made
}

async function addChannel(
  change: Change,
  place: SlackPlace,
  members: AccountRow[],
  accounts: SlackAccounts,
): Promise<ImportedPlace> {
  const description = descriptionOf(place, accounts)
  const creator = accounts.get(place.creator ?? '') ?? null
  const wanted = {
    name: freeName(change, place.name ?? place.id),
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
  const channel = firstIn(await createChannels(change, creator, [wanted], members))
  await subscribeUsers(change, { channels: [channel], users: members })
  const { id } = channel
  const row = await change.update('channel', {
    id,
    is_archived: place.is_archived,
    created_at: place.created || change.now,
  })
  return { recipientId: row.recipient_id, channel: row, userIds: null }
}

async function addConversation(change: Change, members: AccountRow[]): Promise<ImportedPlace> {
  const userIds = members.map(({ id }) => id).sort((a, b) => a - b)
  const { id } = await openConversation(change, userIds)
  return { recipientId: id, channel: undefined, userIds }
}

/** Returns a name that no other channel has, in whatever letters. */
function freeName(change: Change, name: string): string {
  const most = channelLimits.channelNameLength
  const cleaned = [...withoutUnprintable(name).trim()].slice(0, most).join('').trim() || 'channel'
  for (let i = 1; ; i++) {
    const ending = i === 1 ? '' : ` (${i})`
    const candidate = [...cleaned].slice(0, most - ending.length).join('') + ending
    if (!change.next.channelByName(lower(candidate))) return candidate
  }
}

/** What a channel is for; without that, its present subject. */
function descriptionOf({ purpose, topic }: SlackPlace, accounts: SlackAccounts): string {
  const text = markdownOf(purpose.value || topic.value || '', namesOfPeople(accounts)).replaceAll(/\s+/g, ' ')
  return [...text.replaceAll('\0', '')].slice(0, channelLimits.channelDescriptionLength).join('')
}

/** Descriptions mention nobody, and channels have no names here yet when they are made. */
function namesOfPeople(accounts: SlackAccounts): SlackNames {
  return { person: (id) => accounts.get(id)?.full_name, channel: () => undefined }
}
