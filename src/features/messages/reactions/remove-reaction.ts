import { sql } from 'kysely'
import type { ReactionRow } from '../../../db/schema.ts'
import { requireUser } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { pathInteger, text } from '../../../http/params.ts'
import { ApiError, badRequest } from '../../../lib/api-error.ts'
import { firstIn } from '../../../lib/must.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { checkNotArchived, messageToRead, messageToReadNow } from '../../kernel/messages/access.ts'
import { audienceOf, usersWithFlagOrReactionQuery } from '../../kernel/messages/audience.ts'
import { reactionRemoved } from '../../kernel/reactions/reaction.event.ts'
import {
  checkEmojiCode,
  emojiByName,
  emojiKind,
  findEmoji,
  isEmojiKind,
} from '../../organization/emoji/find-emoji.ts'

export const removeReaction = command('DELETE /messages/{message_id}/reactions', {
  summary: 'Remove an emoji reaction',
  access: requireUser,
  params: {
    message_id: pathInteger(),
    emoji_name: text().optional(),
    emoji_code: text().optional(),
    reaction_type: emojiKind().optional(),
  },
  returns: {},
  async handle({ realm, me, params, read, commit }) {
    await messageToRead(realm, me, read, params.message_id)
    const { emoji_name: name, emoji_code: code } = params
    if (name === undefined && code === undefined) throw emojiMissing()
    await commit(async (change) => {
      const message = await messageToReadNow(change, me, params.message_id)
      checkNotArchived(change.state, message)
      const holders = firstIn(await change.run(usersWithFlagOrReactionQuery(realm.id, [message.id])))
      const mine = await change.run(sql<ReactionRow>`
        SELECT * FROM reaction WHERE realm_id = ${realm.id} AND message_id = ${message.id} AND user_id = ${me.id}
        ORDER BY id`)
      const gone = reactionMeant(change.state, mine, params)
      await change.deleteAll('reaction', [gone])
      const { emoji_name, emoji_code, reaction_type, user_id } = gone
      const reaction = { emoji_name, emoji_code, reaction_type, user_id }
      const audience = audienceOf(change.state, message, change.lastMessageId + 1, holders.users)
      change.emit(reactionRemoved(message.id, reaction), audience)
    })
    return {}
  },
})

type Sent = {
  emoji_name: string | undefined
  emoji_code: string | undefined
  reaction_type: string | undefined
}

/**
 * Returns the one of the user's reactions that the request names. A name is sufficient, even of an emoji that the
 * organization has since withdrawn.
 */
function reactionMeant(realm: RealmState, mine: ReactionRow[], sent: Sent): ReactionRow {
  const { emoji_name: name, emoji_code: code, reaction_type: kind } = sent
  const ofKind = kind === undefined ? mine : mine.filter((one) => one.reaction_type === kind)
  const found =
    code === undefined
      ? (ofKind.find((one) => one.emoji_name === name) ?? sameEmoji(realm, ofKind, name!))
      : mine.find((one) => one.emoji_code === code && one.reaction_type === kindOf(realm, sent))
  if (found) return found
  if (code !== undefined && (kind === undefined || isEmojiKind(kind))) {
    checkEmojiCode(realm, code, kindOf(realm, sent))
  }
  throw new ApiError("Reaction doesn't exist.", 'REACTION_DOES_NOT_EXIST')
}

/** Returns the reaction whose emoji also has this name. */
function sameEmoji(realm: RealmState, reactions: ReactionRow[], name: string): ReactionRow | undefined {
  const { code, kind } = emojiByName(realm, name)
  return reactions.find((one) => one.emoji_code === code && one.reaction_type === kind)
}

/**
 * Returns the kind of a code: the kind in the request, or that of the emoji with this name, or else a Unicode emoji.
 */
function kindOf(realm: RealmState, { emoji_name, emoji_code, reaction_type }: Sent): string {
  if (reaction_type !== undefined) return reaction_type
  const named = emoji_name === undefined ? undefined : findEmoji(realm, emoji_name)
  return named && named.code === emoji_code ? named.kind : 'unicode_emoji'
}

function emojiMissing() {
  return badRequest('At least one of the following arguments must be present: emoji_name, emoji_code')
}
