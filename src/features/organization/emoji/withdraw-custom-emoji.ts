import type { AccountRow, CustomEmojiRow } from '../../../db/schema.ts'
import { isAdministrator, requireMember } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { pathText } from '../../../http/params.ts'
import { ApiError, badRequest } from '../../../lib/api-error.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { customEmojiChanged } from './realm_emoji.event.ts'

export const withdrawCustomEmoji = command('DELETE /realm/emoji/{emoji_name}', {
  summary: 'Deactivate a custom emoji; existing uses stay',
  access: requireMember,
  params: { emoji_name: pathText() },
  returns: {},
  async handle({ realm, me, params, commit }) {
    emojiToWithdraw(realm, me, params.emoji_name)
    await commit(async (change) => {
      const { id } = emojiToWithdraw(change.state, change.state.users.require(me.id), params.emoji_name)
      await change.update('custom_emoji', { id, is_deactivated: true })
      change.emit(customEmojiChanged(), { everyone: true })
    })
    return {}
  },
})

function emojiToWithdraw(realm: RealmState, me: AccountRow, name: string): CustomEmojiRow {
  const emoji = realm.customEmojiByName(name)
  if (!emoji) throw new ApiError(`Emoji '${name}' does not exist`, 'BAD_REQUEST', 404)
  if (emoji.author_id !== me.id && !isAdministrator(me)) {
    throw badRequest('Must be an organization administrator or emoji author')
  }
  return emoji
}
