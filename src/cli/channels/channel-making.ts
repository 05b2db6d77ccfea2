import type { AccountRow, ChannelRow } from '../../db/schema.ts'
import { createChannels } from '../../features/channels/kernel/channels/create-channels.ts'
import { renderedDescription } from '../../features/channels/kernel/channels/description.ts'
import { subscribeUsers } from '../../features/channels/subscriptions/subscribe-users.ts'
import { channelDescription, channelName } from '../../features/kernel/channels/names.ts'
import { firstIn } from '../../lib/must.ts'
import type { Site } from '../../lib/site.ts'
import { lower } from '../../lib/text/lower.ts'
import type { Change } from '../../log/change.ts'
import { anOwner } from '../perform.ts'

type Settings = { description: string; isPrivate: boolean; isDefault: boolean }

/** Creates a channel with its first subscribers and without a creator. Throws if the name is taken. */
export async function makeChannel(
  change: Change,
  site: Site,
  givenName: string,
  { description: given, isPrivate, isDefault }: Settings,
  users: AccountRow[],
): Promise<ChannelRow> {
  const { state } = change
  const name = channelName(givenName)
  if (state.channelByName(lower(name))) throw new Error(`There is a channel ${name} already.`)
  const description = channelDescription(given)
  const channel = {
    name,
    description,
    rendered_description: renderedDescription({ realm: state, site, me: anOwner(state) }, description),
    is_private: isPrivate,
    is_web_public: false,
    history_public_to_subscribers: !isPrivate,
    is_default: isDefault,
    message_retention_days: null,
    topics_policy: 'inherit',
    folder_id: null,
    permissions: {},
  }
  const channels = await createChannels(change, null, [channel], users)
  await subscribeUsers(change, { channels, users })
  return firstIn(channels)
}
