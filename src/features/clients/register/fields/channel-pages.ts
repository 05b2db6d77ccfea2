import type { ChannelRow } from '../../../../db/schema.ts'
import { groupBy } from '../../../../lib/collections/group-by.ts'
import { memoizePer } from '../../../../lib/collections/memoize-per.ts'
import { derived } from '../../../../log/derived.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import {
  type IncludeSubscribers,
  includedVersion,
  includedVersions,
} from '../../../channels/kernel/subscriptions/included-subscribers.ts'
import { activityVersion } from '../../../people/users/activity.ts'

/** How a client wants channels: with archived ones, and with subscribers. */
export type ChannelKind = { archived: boolean; include: IncludeSubscribers }

/** At least one channel: those whose ids are `number` when they are divided by `ids` and rounded down. */
export type ChannelPage = { number: number; ids: number; channels: readonly ChannelRow[] }

/** Returns the channels that are not private, in pages. */
export function openPages(realm: RealmState, ids: number, { archived }: ChannelKind): ChannelPage[] {
  const lists = pageLists(realm)
  const key = `${ids} ${archived}`
  const found = lists.get(key)
  if (found) return found
  const pages = pagesOf(openChannels(realm, archived), ids)
  lists.set(key, pages)
  return pages
}

/** Returns the channels of a page in smaller pages. */
export function split({ channels }: ChannelPage, ids: number): ChannelPage[] {
  return pagesOf(channels, ids)
}

function pagesOf(channels: Iterable<ChannelRow>, ids: number): ChannelPage[] {
  const groups = groupBy(channels, ({ id }) => Math.floor(id / ids))
  return Array.from(groups, ([number, channels]) => ({ number, ids, channels }))
}

const pageLists = derived(
  (realm) => realm.channels.version,
  () => new Map<string, ChannelPage[]>(),
)

function openChannels(realm: RealmState, archived: boolean): ChannelRow[] {
  return [...realm.channels.values()].filter((one) => !one.is_private && (archived || !one.is_archived))
}

/**
 * Returns a function for what all members see alike of a page. It makes that anew when one of the channels, or their
 * subscribers, may have changed: most registrations find all as they were.
 */
export function perPage<T>(make: (realm: RealmState, kind: ChannelKind, page: ChannelPage) => T) {
  const values = memoizePer<RealmState, Map<string, Known<T>>>(() => new Map())
  return (realm: RealmState, kind: ChannelKind, page: ChannelPage): T => {
    const key = `${page.ids} ${page.number} ${kind.archived} ${kind.include}`
    const before = values(realm).get(key)
    const at = `${realm.channels.version} ${othersVersion(realm)} ${includedVersions(realm, kind.include)}`
    // The caller may have taken the page before a channel changed.
    const known = before && haveSameRows(before.page, page) ? before : undefined
    if (known?.at === at) return known.value
    const versions = versionsOf(realm, kind, page)
    const value = known?.versions === versions ? known.value : make(realm, kind, page)
    values(realm).set(key, { page, value, at, versions })
    return value
  }
}

/** The value stays right as long as the rows, and `at` or `versions`, are the same. */
type Known<T> = { page: ChannelPage; value: T; at: string; versions: string }

/** Changes whenever what members see of a channel may change, though its row and its subscriptions are the same. */
function othersVersion(realm: RealmState): string {
  return `${realm.groups.version} ${activityVersion(realm)}`
}

function versionsOf(realm: RealmState, { include }: ChannelKind, { channels }: ChannelPage): string {
  const each = channels.map(({ id }) => includedVersion(realm, id, include))
  return `${othersVersion(realm)} ${each.join()}`
}

/** Rows are replaced, never changed. */
function haveSameRows(a: ChannelPage, b: ChannelPage): boolean {
  if (a.channels === b.channels) return true
  return a.channels.length === b.channels.length && a.channels.every((row, i) => row === b.channels[i])
}
