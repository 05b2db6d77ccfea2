import { sql } from 'kysely'
import type { ReactionRow } from '../../db/schema.ts'
import { user } from '../../http/access.ts'
import { command } from '../../http/endpoint.ts'
import { pathInteger, text } from '../../http/params.ts'
import { ApiError, badRequest } from '../../lib/api-error.ts'
import type { RealmState } from '../../log/realm-state.ts'
import { emojiByName, emojiKind } from '../emoji/find-emoji.ts'
import { messageToRead } from '../messages/access.ts'
import { audienceOf, holdersQuery } from '../messages/audience.ts'
import { reactionRemoved } from './reaction.event.ts'

export const removeReaction = command('DELETE /messages/{message_id}/reactions', {
  summary: 'Remove an emoji reaction',
  access: user,
  params: {
    message_id: pathInteger(),
    emoji_name: text().optional(),
    emoji_code: text().optional(),
    reaction_type: emojiKind().default('unicode_emoji'),
  },
  returns: {},
  async handle({ realm, me, params, read, commit }) {
    const message = await messageToRead(realm, me, read, params.message_id)
    const code = params.emoji_code ?? codeOf(realm, params.emoji_name)
    await commit(async (change) => {
      const [holders] = await change.run(holdersQuery(realm.id, [message.id]))
      const [gone] = (await change.run(sql`
        DELETE FROM reaction WHERE realm_id = ${realm.id} AND message_id = ${message.id} AND user_id = ${me.id}
          AND reaction_type = ${params.reaction_type} AND emoji_code = ${code} RETURNING *`)) as ReactionRow[]
      if (!gone) throw new ApiError("Reaction doesn't exist.", 'REACTION_DOES_NOT_EXIST')
      const { emoji_name, emoji_code, reaction_type, user_id } = gone
      const reaction = { emoji_name, emoji_code, reaction_type, user_id }
      const audience = audienceOf(change.state, message, change.lastMessageId + 1, holders!.users)
      change.emit(reactionRemoved(message.id, reaction), audience)
    })
    return {}
  },
})

function codeOf(realm: RealmState, name: string | undefined): string {
  if (name !== undefined) return emojiByName(realm, name).code
  throw badRequest('At least one of the following arguments must be present: emoji_name, emoji_code')
}
