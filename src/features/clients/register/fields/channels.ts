import { roles } from '../../../../db/roles.ts'
import type { ChannelRow, SubscriptionRow } from '../../../../db/schema.ts'
import { fragmentsOf } from '../../../../http/responses/fragment-cache.ts'
import { mapInSlices } from '../../../../lib/async/time-slice.ts'
import { namesIn, recordOf } from '../../../../lib/collections/records.ts'
import type { Chunk } from '../../../../lib/gzip/gzip-chunks.ts'
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
import { registrationLimits } from '../limits.ts'
import { JsonChunks, type Registration, type Section } from '../section.ts'
import { type ChannelKind, type ChannelPage, openPages, perPage, split } from './channel-pages.ts'

/**
 * The ids of a page of channels to which a user was never subscribed. A subscription keeps a user from sharing it: smaller
 * pages take its place. The texts must be long enough to be kept compressed.
 */
const [idsOfUnsubscribed, idsOfPart] = [
  registrationLimits.unsubscribedIdsPerPage,
  registrationLimits.unsubscribedIdsPerPart,
]

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
  const kind = kindOf(registration)
  const own = ownChannels(registration)
  const { pages } = divideUnsubscribed(registration, own)
  await mapInSlices(pages, (page) => void unsubscribedPage(realm, kind, page))
  const { alone } = neverSubscribed(registration, own)
  await mapInSlices([...alone, ...own.keys()], (channel) => {
    channelTextsOf(realm)(channel)
    if (include) subscribers(realm, channel.id, include)
  })
}

/** Returns the channels to which the user is subscribed, was subscribed, and has never been subscribed. */
function subscriptions(registration: Registration) {
  const lists = { subscriptions: new List(), unsubscribed: new List(), never_subscribed: new List() }
  const own = ownChannels(registration)
  for (const [channel, subscription] of own) {
    const list = isActive(subscription) ? lists.subscriptions : lists.unsubscribed
    list.add(subscriptionChunks(registration, channel, subscription))
  }
  const { alone, shared } = neverSubscribed(registration, own)
  for (const channel of alone) {
    lists.never_subscribed.add(subscriptionChunks(registration, channel, undefined))
  }
  for (const chunk of shared) lists.never_subscribed.add([chunk])
  return recordOf(namesIn(lists), (name) => lists[name].json())
}

/** The channels that a user sees and is or was subscribed to. */
type OwnChannels = ReadonlyMap<ChannelRow, SubscriptionRow>

/** Returns the channels in the order of their ids. */
function ownChannels(registration: Registration): OwnChannels {
  const { realm, me } = registration
  const rows = [...realm.subscriptionsOfUser(me.id)].sort((a, b) => a.channel_id - b.channel_id)
  const all = rows.map((row) => [realm.channels.require(row.channel_id), row] as const)
  return new Map(all.filter(([channel]) => isVisible(registration, channel)))
}

/** Returns the other channels that the user sees: some are listed alone, and the others are in chunks that members share. */
function neverSubscribed(registration: Registration, own: OwnChannels) {
  const kind = kindOf(registration)
  const { alone, pages } = divideUnsubscribed(registration, own)
  const shared: Chunk[] = []
  for (const page of pages) {
    const { chunk, large } = unsubscribedPage(registration.realm, kind, page)
    if (chunk) shared.push(chunk)
    alone.push(...large)
  }
  return { alone, shared }
}

/** Divides these channels: into pages whose channels the user has never been subscribed to, and channels on no such page. */
function divideUnsubscribed(registration: Registration, own: OwnChannels) {
  const { realm } = registration
  const alone = restrictedChannels(registration).filter((channel) => !own.has(channel))
  const numbersOf = (ids: number) => new Set([...own.keys()].map(({ id }) => Math.floor(id / ids)))
  const [ownPages, ownParts] = [numbersOf(idsOfUnsubscribed), numbersOf(idsOfPart)]
  const whole = isMember(registration) ? openPages(realm, idsOfUnsubscribed, kindOf(registration)) : []
  const pages: ChannelPage[] = []
  for (const page of whole) {
    if (!ownPages.has(page.number)) {
      pages.push(page)
      continue
    }
    for (const part of split(page, idsOfPart)) {
      if (!ownParts.has(part.number)) pages.push(part)
      else alone.push(...part.channels.filter((channel) => !own.has(channel)))
    }
  }
  return { alone, pages }
}

/** Serializes a page for members who have never been subscribed to any of its channels. The `large` ones are listed alone. */
const unsubscribedPage = perPage((realm, { archived, include }, { number, ids, channels }) => {
  const included = (channel: ChannelRow) =>
    include ? includedSubscribers(realm, channel.id, include) : undefined
  const isLarge = (channel: ChannelRow) =>
    (included(channel)?.ids.length ?? 0) > registrationLimits.subscribersOnPage
  const large = channels.filter(isLarge)
  const small = channels.filter((channel) => !large.includes(channel))
  const [texts, lists] = [small.map(channelTextsOf(realm)), small.map(included)]
  const key = `never subscribed ${ids} ${number} ${archived} ${include}`
  const chunk = fragmentsOf(realm).get(key, [...texts, ...lists.map((list) => list?.ids)], () =>
    texts.map((text, i) => withSubscribers(text, lists[i])).join(),
  )
  return { chunk: small.length > 0 ? chunk : undefined, large }
})

function withSubscribers(text: string, included: IncludedSubscribers | undefined): string {
  return included ? `${text.slice(0, -1)},"${included.name}":${JSON.stringify(included.ids)}}` : text
}

function subscriptionChunks(
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
  const { realm } = registration
  const kind = { ...kindOf(registration), include: false }
  const list = new List()
  for (const channel of restrictedChannels(registration)) list.add([channelTextsOf(realm)(channel)])
  const pages = isMember(registration) ? openPages(realm, registrationLimits.channelIdsPerPage, kind) : []
  for (const page of pages) list.add([streamsPage(realm, kind, page)])
  return list.json()
}

const streamsPage = perPage((realm, { archived }, { number, channels }): Chunk => {
  const texts = channels.map(channelTextsOf(realm))
  return fragmentsOf(realm).get(`streams ${number} ${archived}`, texts, () => texts.join())
})

/** Members see all channels that are not private, and see them alike. */
function isMember({ me }: Registration) {
  return me.role !== roles.guest
}

/** Returns the channels that the user sees but not all members see: for a guest, all that they see. */
function restrictedChannels(registration: Registration): ChannelRow[] {
  const { realm } = registration
  const candidates = isMember(registration) ? privateChannels(realm) : [...realm.channels.values()]
  return candidates.filter((channel) => isVisible(registration, channel))
}

const privateChannels = derived(
  (realm) => realm.channels.version,
  (realm) => [...realm.channels.values()].filter(({ is_private }) => is_private),
)

/** Only clients that know of archiving (levels 315 and 378) see archived channels. */
function isVisible({ realm, me, capabilities }: Registration, channel: ChannelRow): boolean {
  return (capabilities.archived_channels || !channel.is_archived) && hasMetadataAccess(realm, me, channel)
}

function kindOf({ capabilities, includeSubscribers }: Registration): ChannelKind {
  return { archived: capabilities.archived_channels, include: includeSubscribers }
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
  private readonly chunks: Chunk[] = ['[']

  add(item: Chunk[]) {
    if (this.chunks.length > 1) this.chunks.push(',')
    this.chunks.push(...item)
  }

  json() {
    this.chunks.push(']')
    return new JsonChunks(this.chunks)
  }
}
