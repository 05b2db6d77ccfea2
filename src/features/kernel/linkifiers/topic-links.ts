import { memoizePer } from '../../../lib/collections/memoize-per.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { topicLinks } from '../../../markdown/linkifiers/linkifier.ts'
import { emptyLookup } from '../../../markdown/lookup.ts'
import { topicLinkLimits } from './limits.ts'
import { type LinkifierView, linkifiersOf } from './linkifiers.ts'

type Links = ReturnType<typeof topicLinks>

/** The links of recently requested topics. */
const linksByTopic = memoizePer<readonly LinkifierView[], Map<string, Links>>(() => new Map())

/**
 * Returns the links in a topic: addresses, and matches of the organization's linkifiers. Cached, because every message
 * needs them.
 */
export function linksOfTopic(realm: RealmState, topic: string): Readonly<Links> {
  if (realm.linkifiers.size === 0 && !/[.:]/.test(topic)) return []
  const linkifiers = linkifiersOf(realm)
  const ofTopics = linksByTopic(linkifiers)
  const before = ofTopics.get(topic)
  if (before) return before
  if (ofTopics.size >= topicLinkLimits.topicsWithLinks) ofTopics.clear()
  const links = topicLinks(topic, { ...emptyLookup, linkifiers })
  ofTopics.set(topic, links)
  return links
}
