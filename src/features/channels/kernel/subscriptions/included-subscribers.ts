import { z } from 'zod'
import type { AccountRow } from '../../../../db/schema.ts'
import { json } from '../../../../http/params.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { canSeeAllUsers } from '../../../kernel/users/user-visibility.ts'
import { partOfSubscribers, partVersion, partVersions } from './part-of-subscribers.ts'
import { subscribersOf } from './subscribers.ts'

/**
 * Whether channels come with their subscribers; `partial`: large ones with a part of them (level 412). The word must be JSON,
 * in quotation marks: at the level that the server announces, a plain one is an error.
 */
export type IncludeSubscribers = boolean | 'partial'

export const includeSubscribersParam = () =>
  json<IncludeSubscribers>(z.union([z.boolean(), z.literal('partial')])).default(false)

/** Returns what a user gets. One who may not see all users is not told which of the others were here, so gets complete lists. */
export function allowedSubscribers(
  realm: RealmState,
  me: AccountRow,
  asked: IncludeSubscribers,
): IncludeSubscribers {
  return asked === 'partial' && !canSeeAllUsers(realm, me) ? true : asked
}

/** The subscribers of a channel and the name of the field in which they are sent, which tells whether these are all. */
export type IncludedSubscribers = { name: 'subscribers' | 'partial_subscribers'; ids: readonly number[] }

export function includedSubscribers(
  realm: RealmState,
  channelId: number,
  include: true | 'partial',
): IncludedSubscribers {
  const all = subscribersOf(realm, channelId)
  const ids = include === 'partial' ? partOfSubscribers(realm, channelId) : all
  return { name: ids === all ? 'subscribers' : 'partial_subscribers', ids }
}

/** Changes whenever the included subscribers of any channel may change. */
export function includedVersions(realm: RealmState, include: IncludeSubscribers): string {
  const { version } = realm.subscriptions
  return include === 'partial' ? `${version} ${partVersions(realm)}` : `${version}`
}

/** Changes whenever the included subscribers of this channel may change, if the same users are active. */
export function includedVersion(realm: RealmState, channelId: number, include: IncludeSubscribers): string {
  const { version } = realm.subscriptionsOfChannel(channelId)
  return include === 'partial' ? `${version} ${partVersion(realm, channelId)}` : `${version}`
}
