import { z } from 'zod'
import { roles } from '../../../db/roles.ts'
import type { AccountRow, ChannelRow } from '../../../db/schema.ts'
import { requireUser } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { boolean, type Values } from '../../../http/params.ts'
import { mapInSlices } from '../../../lib/async/time-slice.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { activeSubscription, hasContentAccess, hasMetadataAccess } from '../../kernel/channels/access.ts'
import { channelSchema } from '../kernel/channels/channel-schemas.ts'
import { channelsByName, channelView } from '../kernel/channels/channel-view.ts'

const params = {
  include_public: boolean().default(true),
  include_web_public: boolean().default(false),
  include_subscribed: boolean().default(true),
  exclude_archived: boolean().default(true), // level 315
  include_all_active: boolean().default(false), // the name of include_all before level 356
  include_all: boolean().default(false),
  include_default: boolean().default(false),
  include_owner_subscribed: boolean().default(false),
  include_can_access_content: boolean().default(false), // level 356
}

type Params = Values<typeof params>

export const getChannels = query('GET /streams', {
  summary: 'List the channels visible to the caller',
  access: requireUser,
  params,
  returns: { streams: z.array(channelSchema.extend({ is_default: z.boolean().optional() })) },
  async handle({ realm, me, params }) {
    const channels = channelsByName(realm).filter((channel) => isAskedFor(realm, me, channel, params))
    const streams = await mapInSlices(channels, (channel) => ({
      ...channelView(realm, channel),
      ...(params.include_default && { is_default: channel.is_default }),
    }))
    return { streams }
  },
})

function isAskedFor(realm: RealmState, me: AccountRow, channel: ChannelRow, params: Params) {
  if (channel.is_archived && params.exclude_archived) return false
  if (params.include_all || params.include_all_active) return hasMetadataAccess(realm, me, channel)
  return (
    (params.include_subscribed && activeSubscription(realm, me.id, channel.id) !== undefined) ||
    (params.include_public && !channel.is_private && me.role !== roles.guest) ||
    (params.include_web_public && channel.is_web_public) ||
    (params.include_can_access_content && hasContentAccess(realm, me, channel)) ||
    (params.include_owner_subscribed && isOwnersChannel(realm, me, channel))
  )
}

function isOwnersChannel(realm: RealmState, bot: AccountRow, channel: ChannelRow) {
  return bot.bot_owner_id !== null && activeSubscription(realm, bot.bot_owner_id, channel.id) !== undefined
}
