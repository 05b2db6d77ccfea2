import type { ReactionRow } from '../../db/schema.ts'
import { checkEmojiCode } from '../../features/organization/emoji/find-emoji.ts'
import type { RealmState } from '../../log/realm-state.ts'
import { unlessRefused } from './valid.ts'
import type { ZulipExport } from './zulip-export.ts'
import type { ZulipPeople } from './zulip-people.ts'
import type { ZulipRow } from './zulip-tables.ts'

type Reaction = Omit<ReactionRow, 'realm_id' | 'id'>

/** The reactions to messages that are still to come, by the ids of these, in their order. */
export class ZulipReactions {
  private readonly state: RealmState
  private readonly source: ZulipExport
  private readonly people: ZulipPeople
  private readonly byMessage = new Map<number, Map<string, Reaction>>()

  constructor(state: RealmState, source: ZulipExport, people: ZulipPeople) {
    this.state = state
    this.source = source
    this.people = people
    this.addAll(source.takeRows('zerver_reaction'))
  }

  /** Some exports have them beside the messages. */
  addAll(rows: readonly ZulipRow<'zerver_reaction'>[]) {
    for (const { message, user_profile, ...emoji } of rows) {
      const user = this.people.get(user_profile)
      if (!user) this.source.leftOut.add('lostReferences')
      else if (!isKnownEmoji(this.state, emoji)) this.source.leftOut.add('reactions')
      else {
        const known = this.byMessage.get(message) ?? new Map<string, Reaction>()
        const key = `${user.id} ${emoji.reaction_type} ${emoji.emoji_code}`
        if (!known.has(key)) known.set(key, { message_id: message, user_id: user.id, ...emoji })
        this.byMessage.set(message, known)
      }
    }
  }

  /** Returns the reactions to a message, once. */
  take(messageId: number): Reaction[] {
    const found = [...(this.byMessage.get(messageId)?.values() ?? [])]
    this.byMessage.delete(messageId)
    return found
  }

  /** Counts those whose messages have not come. */
  finish() {
    for (const left of this.byMessage.values()) this.source.leftOut.add('lostReferences', left.size)
  }
}

type Emoji = { emoji_name: string; emoji_code: string; reaction_type: string }

/** Whether there is this emoji here. Its name may be any that it has had. */
export function isKnownEmoji(state: RealmState, { emoji_name, emoji_code, reaction_type }: Emoji): boolean {
  if (emoji_name === '' || emoji_name.length > 100) return false
  return unlessRefused(() => checkEmojiCode(state, emoji_code, reaction_type) ?? true) ?? false
}
