import { topicPolicies } from '../../../narrow/condition.ts'

/** Whether a topic is muted: what somebody wants of it counts for more than that they have muted its channel. */
export function isMuted(policy: number | undefined, isChannelMuted: boolean): boolean {
  return policy === undefined ? isChannelMuted : policy === topicPolicies.muted
}
