import { checkEmojiCode } from '../../features/organization/emoji/find-emoji.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { RealmState } from '../../log/realm-state.ts'
import type { ZulipExport } from './zulip-export.ts'
import type { ZulipPeople } from './zulip-people.ts'

type Reaction = {
  message_id: number
  user_id: number
  reaction_type: string
  emoji_code: string
  emoji_name: string
}

/** Returns the reactions to messages, by the ids of these, in their order. */
export function reactionsByMessage(
  state: RealmState,
  source: ZulipExport,
  people: ZulipPeople,
): Map<number, Reaction[]> {
  const byMessage = new Map<number, Reaction[]>()
  const known = new Set<string>()
  for (const { message, user_profile, ...emoji } of source.takeRows('zerver_reaction')) {
    const user = people.get(user_profile)
    const { reaction_type, emoji_code } = emoji
    const key = `${message} ${user_profile} ${reaction_type} ${emoji_code}`
    if (!user) source.leftOut.add('lostReferences')
    else if (!isKnownEmoji(state, emoji)) source.leftOut.add('reactions')
    else if (!known.has(key)) {
      const list = byMessage.get(message) ?? []
      list.push({ message_id: message, user_id: user.id, ...emoji })
      byMessage.set(message, list)
      known.add(key)
    }
  }
  return byMessage
}

type Emoji = { emoji_name: string; emoji_code: string; reaction_type: string }

/** Whether there is this emoji here. Its name may be any that it has had. */
export function isKnownEmoji(state: RealmState, { emoji_name, emoji_code, reaction_type }: Emoji): boolean {
  if (emoji_name === '' || emoji_name.length > 100) return false
  try {
    checkEmojiCode(state, emoji_code, reaction_type)
    return true
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}
