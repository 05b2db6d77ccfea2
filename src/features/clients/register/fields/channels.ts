import type { ChannelRow, SubscriptionRow } from '../../../../db/schema.ts'
import { roles } from '../../../../http/access.ts'
import { fragmentsOf } from '../../../../http/fragment-cache.ts'
import { groupBy } from '../../../../lib/group-by.ts'
import type { Chunk } from '../../../../lib/gzip-parts.ts'
import { namesIn, recordOf } from '../../../../lib/records.ts'
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
import {
  type IncludedSubscribers,
  includedSubscribers,
} from '../../../channels/kernel/subscriptions/included-subscribers.ts'
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

/** The most subscribers that a channel has on such a page. */
const subscribersInPage = 2_000

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
  const { realm, includeSubscribers: include } = registration
  const channels = visibleChannels(registration)
  await mapInSlices(channels, (channel) => {
    channelTextsOf(realm)(channel)
    if (include) includedSubscribers(realm, channel.id, include)
  })
  if (!include) return
  const own = ownSubscriptions(registration)
  const { single, pages } = neverSubscribed(registration, channels, own)
  const alone = [...channels.filter(({ id }) => own.has(id)), ...single]
  await mapInSlices(alone, ({ id }) => subscribers(realm, id, include))
  await mapInSlices(pages, ([page, those]) => neverSubscribedPage(registration, page, those))
}

/** Returns the channels to which the user is subscribed, was subscribed, and has never been subscribed. */
function subscriptions(registration: Registration) {
  const own = ownSubscriptions(registration)
  const lists = { subscriptions: new List(), unsubscribed: new List(), never_subscribed: new List() }
  const channels = visibleChannels(registration)
  for (const channel of channels) {
    const subscription = own.get(channel.id)
    if (!subscription) continue
    const list = isActive(subscription) ? lists.subscriptions : lists.unsubscribed
    list.add(subscriptionPieces(registration, channel, subscription))
  }
  const { single, pages } = neverSubscribed(registration, channels, own)
  for (const channel of single) {
    lists.never_subscribed.add(subscriptionPieces(registration, channel, undefined))
  }
  for (const [page, those] of pages) {
    lists.never_subscribed.add([neverSubscribedPage(registration, page, those)])
  }
  return recordOf(namesIn(lists), (name) => lists[name].json())
}

/** Returns all subscriptions of the user, also ended ones, by channel. */
function ownSubscriptions({ realm, me }: Registration) {
  return new Map([...realm.subscriptionsOfUser(me.id)].map((row) => [row.channel_id, row]))
}

/**
 * Returns the other channels. Where no channel of a page is private or has to do with the user, all have the same page. One with
 * many subscribers has a fragment of its own, which one subscription makes anew.
 */
function neverSubscribed(
  { realm, me, includeSubscribers: include }: Registration,
  channels: ChannelRow[],
  own: ReadonlyMap<number, SubscriptionRow>,
) {
  const pageOf = (id: number) => Math.floor(id / idsPerUnsubscribedPage)
  const ownPages = new Set([...own.keys()].map(pageOf))
  const isLarge = (id: number) =>
    include && includedSubscribers(realm, id, include).ids.length > subscribersInPage
  const single: ChannelRow[] = []
  const paged: ChannelRow[] = []
  for (const channel of channels) {
    if (own.has(channel.id)) continue
    const isUsual = !channel.is_private && me.role !== roles.guest && !ownPages.has(pageOf(channel.id))
    ;(isUsual && !isLarge(channel.id) ? paged : single).push(channel)
  }
  return { single, pages: groupBy(paged, ({ id }) => pageOf(id)) }
}

function neverSubscribedPage(
  { realm, capabilities, includeSubscribers: include }: Registration,
  page: number,
  channels: ChannelRow[],
): Chunk {
  const textOf = channelTextsOf(realm)
  const texts = channels.map(textOf)
  const included = include ? channels.map(({ id }) => includedSubscribers(realm, id, include)) : []
  const textWith = (text: string, { name, ids }: IncludedSubscribers) =>
    `${text.slice(0, -1)},"${name}":${JSON.stringify(ids)}}`
  const key = `never subscribed ${page} ${capabilities.archived_channels} ${include}`
  const madeFrom = [...texts, ...included.map(({ ids }) => ids)]
  return fragmentsOf(realm).get(key, madeFrom, () =>
    texts.map((text, i) => (included[i] ? textWith(text, included[i]) : text)).join(),
  )
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

/** Made from this row and these subscribers. */
type ChannelText = { channel: ChannelRow; subscribers: readonly number[]; text: string }

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
    if (known?.channel === channel && known.subscribers === subscribers) return known.text
    const text = JSON.stringify(channelView(realm, channel))
    texts.set(channel.id, { channel, subscribers, text })
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
