import { hasSameItems } from '../../../../lib/collections/has-same-items.ts'
import { derived, derivedPer } from '../../../../log/derived.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { realmSettings } from '../../../kernel/settings/settings.ts'
import { userSettingDefaults } from '../../../kernel/users/settings.ts'
import { activityVersion } from '../../../people/users/activity.ts'
import { subscriberLimits } from './limits.ts'
import { subscribersOf } from './subscribers.ts'

/**
 * Returns the subscribers of a channel; for a large channel, only the ones that clients expect. Where users report no presence,
 * the server does not know which ones clients expect. If the result has all subscribers, it is the array of `subscribersOf`
 * itself.
 */
export function partOfSubscribers(realm: RealmState, channelId: number): readonly number[] {
  const all = subscribersOf(realm, channelId)
  if (all.length < subscriberLimits.partialFrom || realmSettings(realm).presence_disabled) return all
  const part = expectedSubscribers(realm, channelId)
  return part.length === all.length ? all : part
}

/** Changes whenever another of a channel's subscribers may be in that part, though the subscriptions are the same. */
export function partVersion(realm: RealmState, channelId: number): string {
  const { day, versions } = expectedUsers(realm)
  return `${realm.realms.version} ${day} ${versions.get(channelId)}`
}

/** Changes whenever that of any channel changes. */
export function partVersions(realm: RealmState): string {
  return `${realm.realms.version} ${expectedVersion(realm)}`
}

const expectedSubscribers = derivedPer(
  (realm, channelId: number) => {
    const { version } = realm.subscriptionsOfChannel(channelId)
    return [version, activityVersion(realm), partVersion(realm, channelId)].join(' ')
  },
  (realm, channelId, before: readonly number[] | undefined): readonly number[] => {
    const { ids } = expectedUsers(realm)
    const part = subscribersOf(realm, channelId).filter((id) => ids.has(id))
    return before && hasSameItems(before, part) ? before : part
  },
)

/**
 * Users who must be in a part of a channel's subscribers, as far as the log has come. Within a day users only join, so that a
 * registration looks at those who are new; of a channel that one of them is in, the version rises.
 */
type ExpectedUsers = {
  day: number
  ids: Set<number>
  versions: Map<number, number>
  usersVersion: number
  presenceId: number
}

const expectedUsers = derived(expectedVersion, (realm, before: ExpectedUsers | undefined) => {
  const day = dayOf(realm)
  if (before?.day === day) return carriedForward(realm, before)
  const versions = new Map<number, number>()
  return carriedForward(realm, { day, ids: new Set(), versions, usersVersion: -1, presenceId: -1 })
})

function expectedVersion(realm: RealmState): string {
  return [dayOf(realm), realm.users.version, realm.presence.newestId].join(' ')
}

function carriedForward(realm: RealmState, expected: ExpectedUsers): ExpectedUsers {
  const { ids, versions } = expected
  const join = (userId: number) => {
    if (ids.has(userId)) return
    ids.add(userId)
    for (const { channel_id } of realm.subscriptionsOfUser(userId)) {
      versions.set(channel_id, (versions.get(channel_id) ?? 0) + 1)
    }
  }
  if (expected.usersVersion !== realm.users.version) for (const id of alwaysExpected(realm)) join(id)
  const since = (expected.day - subscriberLimits.partialActiveDays) * 86_400
  for (const { seen } of realm.presence.since(expected.presenceId)) {
    for (const { userId, connected } of seen.values()) if (connected >= since) join(userId)
  }
  return { ...expected, usersVersion: realm.users.version, presenceId: realm.presence.newestId }
}

/** Returns bots, and users who hide their presence: whether these were here is not told. */
function* alwaysExpected(realm: RealmState) {
  for (const { id, bot_type, settings } of realm.users.values()) {
    const { presence_enabled = userSettingDefaults.presence_enabled } = settings
    if (bot_type !== null || !presence_enabled) yield id
  }
}

function dayOf(realm: RealmState): number {
  return Math.floor(realm.clock() / 86_400)
}
