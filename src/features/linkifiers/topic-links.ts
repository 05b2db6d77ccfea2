import type { RealmState } from '../../log/realm-state.ts'
import { topicLinks } from '../../markdown/linkifier.ts'
import { emptyLookup } from '../../markdown/lookup.ts'
import { linkifiersOf } from './linkifiers.ts'

/** The links in a topic: addresses, and what the organization's linkifiers find. */
export function linksOfTopic(realm: RealmState, topic: string) {
  if (realm.linkifiers.size === 0 && !/[.:]/.test(topic)) return []
  return topicLinks(topic, { ...emptyLookup, linkifiers: linkifiersOf(realm) })
}
