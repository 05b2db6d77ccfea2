import { requireMember } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { files } from '../../../http/params.ts'
import type { Change } from '../../../log/change.ts'
import { emojiFile, emojiStillFile } from '../../kernel/emoji/custom-emoji.ts'
import { type Drawer, drawerOf } from '../kernel/pictures/drawing-slots.ts'
import { redrawEmoji, type SentPicture } from '../kernel/pictures/redraw.ts'
import { onePicture } from '../kernel/pictures/sent-picture.ts'
import { newPictureName, type Pictures, withPictures } from '../kernel/pictures/store.ts'
import { checkedEmojiName, checkMayAddEmoji, emojiNameParam } from './emoji-rules.ts'
import { emojiLimits } from './limits.ts'
import { customEmojiChanged } from './realm_emoji.event.ts'

export const addCustomEmoji = command('POST /realm/emoji/{emoji_name}', {
  summary: 'Upload a custom emoji',
  creates: true,
  access: requireMember,
  params: { emoji_name: emojiNameParam(), files: files({ max: emojiLimits.emojiMib * 2 ** 20 }) },
  returns: {},
  async handle(context) {
    const { realm, me, params, conclude } = context
    const name = checkedEmojiName(params.emoji_name)
    checkMayAddEmoji(realm, me, name)
    const sent = onePicture(params.files, 'You must upload exactly one file.')
    const { pictures, columns } = await drawCustomEmoji(drawerOf(context), sent)
    const add = async (change: Change) => {
      checkMayAddEmoji(change.state, change.state.users.require(me.id), name)
      const row = { name, author_id: me.id, created_at: change.now, ...columns }
      await change.insert('custom_emoji', row)
      change.emit(customEmojiChanged(), { everyone: true })
      return {}
    }
    return withPictures(context, pictures, add, conclude)
  },
})

/** Returns the pictures of an emoji, and the columns that describe them. */
export async function drawCustomEmoji(drawer: Drawer, sent: SentPicture) {
  const { content, suffix, still } = await redrawEmoji(drawer, sent)
  const name = newPictureName()
  const columns = { file: `${name}.${suffix}`, still_file: still ? `${name}.png` : null }
  const pictures: Pictures = { [emojiFile(columns.file)]: content }
  if (still) pictures[emojiStillFile(`${name}.png`)] = still
  return { pictures, columns }
}
