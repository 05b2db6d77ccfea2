import { channelOf } from './channels.ts'
import { field } from './server-state.ts'

/** Whether messages to a channel need a topic, may be without one, or must be. */
export function topicRule(channelId: number): 'required' | 'optional' | 'none' {
  const own = channelOf(channelId)?.topics_policy ?? 'inherit'
  const policy = own === 'inherit' ? field('realm_topics_policy') : own
  if (policy === 'empty_topic_only') return 'none'
  return policy === 'disable_empty_topic' ? 'required' : 'optional'
}
