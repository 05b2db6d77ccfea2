import { topicPolicies } from '../../../narrow/condition.ts'

/** Returns whether a topic is muted. The user's policy for the topic takes precedence over a muted channel. */
export function isMuted(policy: number | undefined, isChannelMuted: boolean): boolean {
  return policy === undefined ? isChannelMuted : policy === topicPolicies.muted
}
