import { basename } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { drawCustomEmoji } from '../../features/organization/emoji/add-custom-emoji.ts'
import { checkedEmojiName } from '../../features/organization/emoji/emoji-rules.ts'
import { emojiLimits } from '../../features/organization/emoji/limits.ts'
import { drawRealmPicture } from '../../features/organization/organization-pictures/realm-pictures.ts'
import { groupBy } from '../../lib/collections/group-by.ts'
import { addAvatar, importDrawer, storePictures, unlessNoPicture } from '../add-avatar.ts'
import type { ImportContext } from './import-context.ts'
import { zulipLimits } from './limits.ts'
import { unlessRefused } from './valid.ts'
import type { ZulipExport } from './zulip-export.ts'
import type { ZulipRecord, ZulipRow } from './zulip-tables.ts'

type Context = Pick<ImportContext, 'change' | 'source' | 'people' | 'store' | 'owner'>
type Kind = 'avatars' | 'emoji' | 'realm_icons'

/** Gives people the pictures that they have chosen. Returns how many. */
export async function addZulipAvatars({ change, source, people, store }: Context): Promise<number> {
  const records = groupBy(await source.records('avatars'), ({ user_profile_id }) => user_profile_id)
  let count = 0
  for (const { id, avatar_source } of people.users.values()) {
    if (avatar_source !== 'U') continue
    const sent = await pictureIn(source, 'avatars', records.get(id) ?? [])
    if (sent && (await addAvatar(change, store, id, sent))) count += 1
    else source.leftOut.add('lostPictures')
  }
  return count
}

/** Adds the custom emoji, with their ids: reactions name them by these. */
export async function addZulipEmoji(context: Context) {
  const records = groupBy(await context.source.records('emoji'), ({ path }) => basename(path, '.original'))
  for (const emoji of context.source.byId('zerver_realmemoji').values()) {
    const sent = await pictureIn(context.source, 'emoji', records.get(emoji.file_name ?? '') ?? [])
    if (!sent || !(await addEmoji(context, emoji, sent))) context.source.leftOut.add('lostPictures')
  }
}

async function addEmoji(
  { change, people, store, owner }: Context,
  { id, name: given, author, deactivated }: ZulipRow<'zerver_realmemoji'>,
  sent: Sent,
): Promise<boolean> {
  const name = unlessRefused(() => checkedEmojiName(given))
  if (name === undefined || change.state.customEmoji.size >= emojiLimits.customEmoji) return false
  const author_id = people.get(author)?.id ?? null
  const drawer = importDrawer(change, author_id ?? owner.id)
  const drawn = await drawCustomEmoji(drawer, sent).catch(unlessNoPicture)
  if (!drawn) return false
  await storePictures(change, store, drawn.pictures)
  const is_deactivated = deactivated || change.state.customEmojiByName(name) !== undefined
  const row = { id, name, author_id, is_deactivated, created_at: change.now, ...drawn.columns }
  await change.insert('custom_emoji', row)
  return true
}

/** Gives the organization its icon and its logos. */
export async function addZulipRealmPictures({ change, source, store, owner }: Context) {
  const [realm] = source.rows('zerver_realm')
  const records = await source.records('realm_icons')
  for (const picture of ['icon', 'logo', 'night_logo'] as const) {
    if (realm?.[`${picture}_source`] !== 'U') continue
    const own = records.filter(({ path }) => new RegExp(`(^|/)${picture}\\.\\w+$`).test(path))
    const sent = await pictureIn(source, 'realm_icons', own)
    const drawer = importDrawer(change, owner.id)
    const drawn = sent && (await drawRealmPicture(drawer, picture, sent).catch(unlessNoPicture))
    if (drawn) {
      await storePictures(change, store, drawn.pictures)
      await change.update('realm', { id: change.state.id, [`${picture}_file`]: drawn.file })
    } else source.leftOut.add('lostPictures')
  }
}

type Sent = { bytes: () => Promise<Buffer> }

/** Returns a picture as it was uploaded; without that, as it was drawn. */
async function pictureIn(
  source: ZulipExport,
  kind: Kind,
  records: readonly ZulipRecord[],
): Promise<Sent | undefined> {
  const isOriginal = ({ path }: ZulipRecord) => path.endsWith('.original')
  for (const { path } of [...records].sort((a, b) => Number(isOriginal(b)) - Number(isOriginal(a)))) {
    const content = await source.openFile(kind, path, zulipLimits.pictureMib)
    if (content) return { bytes: () => buffer(content) }
  }
  return undefined
}
