import { z } from 'zod'
import { jsonOrWord } from '../../../../http/params.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { partOfSubscribers } from './part-of-subscribers.ts'
import { subscribersOf } from './subscribers.ts'

/** Whether channels come with their subscribers; `partial`: large ones with a part of them (level 412). */
export type IncludeSubscribers = boolean | 'partial'

export const includeSubscribersParam = () =>
  jsonOrWord<IncludeSubscribers>(z.union([z.boolean(), z.literal('partial')]), ['partial']).default(false)

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
