import type { Feature } from '../feature.ts'
import * as channelActivity from './channel-activity/index.ts'
import * as channelFolders from './channel-folders/index.ts'
import * as channels from './channels/index.ts'
import * as defaultChannelGroups from './default-channel-groups/index.ts'
import * as fullMembers from './full-members/index.ts'
import * as subscriptions from './subscriptions/index.ts'
import * as topics from './topics/index.ts'

/** Channels, their subscribers and their topics. The order is the order of the events that follow from one change. */
export const channelFeatures: Feature[] = [
  subscriptions,
  channels,
  channelActivity,
  fullMembers,
  channelFolders,
  defaultChannelGroups,
  topics,
]
