import type { ChannelRow, SubscriptionRow } from '../../../../db/schema.ts'
import { roles } from '../../../../http/access.ts'
import { fragmentsOf } from '../../../../http/fragment-cache.ts'
import type { Chunk } from '../../../../lib/gzip-parts.ts'
import { mapInSlices } from '../../../../lib/time-slice.ts'
import { derived } from '../../../../log/derived.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { folders } from '../../../channels/channel-folders/folder-view.ts'
import { defaultGroups } from '../../../channels/default-channel-groups/default-groups.ts'
import {
  channelView,
  legacyNotifications,
  personalView,
} from '../../../channels/kernel/channels/channel-view.ts'
import { defaultChannelIds } from '../../../channels/kernel/channels/default-channels.ts'
import { includedSubscribers } from '../../../channels/kernel/subscriptions/included-subscribers.ts'
import { subscribersOf } from '../../../channels/kernel/subscriptions/subscribers.ts'
import { hasMetadataAccess, isActive } from '../../../kernel/channels/access.ts'
import { activityVersion } from '../../../people/users/activity.ts'
import { JsonPieces, type Registration, type Section } from '../section.ts'

/** The number of consecutive ids that share a fragment. */
const idsPerPage = 128

/**
 * The same for channels to which a user was never subscribed. A subscription keeps a user from sharing the fragment, so
 * there are fewer in one; but its text must be long enough to be kept compressed.
 */
const idsPerUnsubscribedPage = 32

export const channelSections: Section[] = [
  { asked: ['subscription'], prepare: prepareChannels, fields: subscriptions },
  { asked: ['stream'], fields: (registration) => ({ streams: streams(registration) }) },
  {
    asked: ['default_stream_groups'],
    fields: ({ realm, me }) => ({
      realm_default_stream_groups: me.role === roles.guest ? [] : defaultGroups(realm),
    }),
  },
  { asked: ['channel_folders'], fields: ({ realm }) => ({ channel_folders: folders(realm) }) },
  {
    asked: ['default_streams'],
    fields: ({ realm, me }) => ({
      realm_default_streams: me.role === roles.guest ? [] : defaultChannelIds(realm),
    }),
  },
]

async function prepareChannels(registration: Registration) {
  const { realm, includeSubscribers } = registration
  await mapInSlices(visibleChannels(registration), (channel) => {
    channelTextsOf(realm)(channel)
    if (includeSubscribers) subscribers(realm, channel.id, includeSubscribers)
  })
}

/** Returns the channels to which the user is subscribed, was subscribed, and has never been subscribed. */
function subscriptions(registration: Registration) {
  const { realm, me } = registration
  const lists = { subscriptions: new List(), unsubscribed: new List() }
  const others: ChannelRow[] = []
  const own = new Map([...realm.subscriptionsOfUser(me.id)].map((row) => [row.channel_id, row]))
  for (const channel of visibleChannels(registration)) {
    const subscription = own.get(channel.id)
    if (!subscription) others.push(channel)
    else
      lists[isActive(subscription) ? 'subscriptions' : 'unsubscribed'].add(
        subscriptionPieces(registration, channel, subscription),
      )
  }
  return {
    subscriptions: lists.subscriptions.json(),
    unsubscribed: lists.unsubscribed.json(),
    never_subscribed: neverSubscribed(registration, others, new Set(own.keys())),
  }
}

/** Returns the other channels. Where no channel of a page is private or has to do with the user, all have the same page. */
function neverSubscribed(registration: Registration, channels: ChannelRow[], own: Set<number>) {
  const { realm, me, includeSubscribers, capabilities } = registration
  const list = new List()
  const pageOf = (id: number) => Math.floor(id / idsPerUnsubscribedPage)
  const ownPages = new Set([...own].map(pageOf))
  const pages = new Map<number, string[]>()
  const textOf = channelTextsOf(realm)
  for (const channel of channels) {
    const page = pageOf(channel.id)
    const isUsual = !channel.is_private && me.role !== roles.guest && !includeSubscribers
    if (!isUsual || ownPages.has(page)) list.add(subscriptionPieces(registration, channel, undefined))
    else if (pages.has(page)) pages.get(page)?.push(textOf(channel))
    else pages.set(page, [textOf(channel)])
  }
  for (const [page, texts] of pages) {
    const key = `never subscribed ${page} ${capabilities.archived_channels}`
    list.add([fragmentsOf(realm).get(key, texts, () => texts.join())])
  }
  return list.json()
}

function subscriptionPieces(
  { realm, me, capabilities, includeSubscribers }: Registration,
  channel: ChannelRow,
  subscription: SubscriptionRow | undefined,
): Chunk[] {
  const own = subscription && {
    ...personalView(subscription),
    ...(!capabilities.notification_settings_null && legacyNotifications(me, subscription)),
  }
  const shared = channelTextsOf(realm)(channel).slice(0, -1)
  const open = own ? `${shared},${JSON.stringify(own).slice(1, -1)}` : shared
  if (!includeSubscribers) return [`${open}}`]
  return [`${open},`, ...subscribers(realm, channel.id, includeSubscribers), '}']
}

/**
 * Returns all channels that the user may see, without subscription data. Fields that are the same for all members come
 * as cached fragments.
 */
function streams(registration: Registration) {
  const { realm, me, capabilities } = registration
  const list = new List()
  const pages = new Map<number, string[]>()
  const textOf = channelTextsOf(realm)
  for (const channel of visibleChannels(registration)) {
    const text = textOf(channel)
    const page = Math.floor(channel.id / idsPerPage)
    if (channel.is_private || me.role === roles.guest) list.add([text])
    else if (pages.has(page)) pages.get(page)?.push(text)
    else pages.set(page, [text])
  }
  for (const [page, texts] of pages) {
    const key = `streams ${page} ${capabilities.archived_channels}`
    list.add([fragmentsOf(realm).get(key, texts, () => texts.join())])
  }
  return list.json()
}

/** Includes archived channels only for clients that know of archiving (levels 315 and 378). */
function visibleChannels({ realm, me, capabilities }: Registration): ChannelRow[] {
  return [...realm.channels.values()].filter((channel) => {
    if (channel.is_archived && !capabilities.archived_channels) return false
    return hasMetadataAccess(realm, me, channel)
  })
}

function subscribers(realm: RealmState, channelId: number, include: true | 'partial'): Chunk[] {
  const { name, ids } = includedSubscribers(realm, channelId, include)
  return [`"${name}":`, fragmentsOf(realm).get(`${name} ${channelId}`, [ids], () => JSON.stringify(ids))]
}

type ChannelText = { subscribers: readonly number[]; text: string }

const channelTexts = derived(
  (realm) => [realm.channels.version, realm.groups.version, activityVersion(realm)].join(),
  () => new Map<number, ChannelText>(),
)

/**
 * Returns the JSON of channels as all users see them, cached until something changes that may affect them. The function
 * is valid as long as the caller does not wait.
 */
function channelTextsOf(realm: RealmState): (channel: ChannelRow) => string {
  const texts = channelTexts(realm)
  return (channel) => {
    const subscribers = subscribersOf(realm, channel.id)
    const known = texts.get(channel.id)
    if (known?.subscribers === subscribers) return known.text
    const text = JSON.stringify(channelView(realm, channel))
    texts.set(channel.id, { subscribers, text })
    return text
  }
}

/** A JSON list that is built up item by item. */
class List {
  private readonly pieces: Chunk[] = ['[']

  add(item: Chunk[]) {
    if (this.pieces.length > 1) this.pieces.push(',')
    this.pieces.push(...item)
  }

  json() {
    this.pieces.push(']')
    return new JsonPieces(this.pieces)
  }
}
