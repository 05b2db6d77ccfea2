import type { AccountRow } from '../../../db/schema.ts'
import { isAdministrator } from '../../../http/access.ts'
import { pathText } from '../../../http/params.ts'
import { badRequest, notPermitted } from '../../../lib/api-error.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { hasRealmPermission } from '../../kernel/groups/access.ts'
import { isCommonEmoji } from './find-emoji.ts'
import { emojiLimits } from './limits.ts'

/** Describes what `checkedEmojiName` takes. */
export const emojiNameParam = () =>
  pathText().documentedAs({ pattern: '^[0-9a-z _-]*[0-9a-z]$', maxLength: emojiLimits.customEmojiNameLength })

/**
 * Returns the name of a custom emoji as it is stored, with underscores for spaces. Throws 400 if the name is invalid.
 */
export function checkedEmojiName(sent: string): string {
  const name = sent.trim().replaceAll(' ', '_')
  if (name === '') throw badRequest('Emoji name is missing')
  if (!/^[0-9a-z_-]+$/.test(name)) {
    throw badRequest(
      'Emoji names must contain only lowercase English letters, digits, spaces, dashes, and underscores.',
    )
  }
  if (/[_-]$/.test(name)) throw badRequest('Emoji names must end with either a letter or digit.')
  if (name.length > emojiLimits.customEmojiNameLength) {
    throw badRequest(`emoji_name is too long (limit: ${emojiLimits.customEmojiNameLength} characters)`)
  }
  return name
}

/** Throws unless the current user may add an emoji with this name. Only administrators may override a default emoji. */
export function checkMayAddEmoji(realm: RealmState, me: AccountRow, name: string) {
  if (!hasRealmPermission(realm, me, 'can_add_custom_emoji_group')) throw notPermitted()
  if (realm.customEmojiByName(name)) throw badRequest('A custom emoji with this name already exists.')
  if (isCommonEmoji(name) && !isAdministrator(me)) {
    throw badRequest('Only administrators can override default emoji.')
  }
  if (realm.customEmoji.size >= emojiLimits.customEmoji) {
    throw badRequest(`An organization can have at most ${emojiLimits.customEmoji} custom emoji.`)
  }
}
