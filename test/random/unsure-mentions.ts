import { mutingFor } from '../../src/features/kernel/flags/client-unread.ts'
import type { Wire } from '../client.ts'

const mayMute = ['user_topic', 'subscription', 'update_message']

type Group = { stream_id: number; topic: string; unread_message_ids: number[] }

/**
 * The unread mentions whose state a client cannot know. A wildcard mention is among the unread mentions unless its
 * topic is muted. But no state says which mentions are wildcards, and which unread messages have them: if a
 * conversation was muted or unmuted while a message was unread, a client cannot say whether it is a mention now.
 */
export class UnsureMentions {
  private readonly ids = new Set<number>()

  /** Records the conversations that an event mutes or unmutes. */
  watch(state: Wire, event: Wire, apply: () => void) {
    if (!mayMute.includes(event.type)) return apply()
    const before = mutings(state)
    apply()
    const after = mutings(state)
    for (const [id, isMuted] of before) if (after.get(id) === !isMuted) this.ids.add(id)
  }

  /** The state without these mentions. */
  leftOut(state: Wire): Wire {
    if (!state.unread_msgs) return state
    const mentions = state.unread_msgs.mentions.filter((id: number) => !this.ids.has(id))
    return { ...state, unread_msgs: { ...state.unread_msgs, mentions } }
  }
}

/** Returns for each unread message in a channel whether it is muted. */
function mutings(state: Wire): Map<number, boolean> {
  const groups: Group[] = state.unread_msgs?.streams ?? []
  return new Map(
    groups.flatMap(({ stream_id, topic, unread_message_ids }) => {
      const isMuted = mutingFor(state)(stream_id, topic)
      return unread_message_ids.map((id) => [id, isMuted] as const)
    }),
  )
}
