import { avatarFiles } from '../../../kernel/avatars/avatar-names.ts'
import { emojiFile, emojiStillFile } from '../../../kernel/emoji/custom-emoji.ts'
import { formatsOf } from '../../../messages/kernel/uploads/thumbnails.ts'
import { contentPath, thumbnailPath } from '../../../messages/uploads/paths.ts'
import { picturePath } from '../../../organization/kernel/pictures/store.ts'
import { realmPictureName } from '../../../organization/organization-pictures/picture-urls.ts'
import { exportPath } from '../exports/export-path.ts'

type Attachment = { path: string; thumbnail: string | null; is_animated: boolean }
type Emoji = { file: string; still_file: string | null }
type RealmPictures = Record<'icon_file' | 'logo_file' | 'night_logo_file', string | null>

/**
 * For each table whose rows refer to files, the paths of a row's files. All other files in the store are unreferenced.
 * The columns are those that contain file names, and those needed to derive the names.
 */
export const tablesWithFiles = {
  attachment: {
    columns: ['path', 'thumbnail', 'is_animated'],
    isThere: 'removed_at IS NULL',
    files: (_: number, { path, thumbnail, is_animated }: Attachment) => [
      contentPath(path),
      ...(thumbnail === 'made'
        ? formatsOf({ is_animated }).map(({ name }) => thumbnailPath(path, name))
        : []),
    ],
  },
  account: {
    columns: ['avatar_file'],
    isThere: 'avatar_file IS NOT NULL',
    files: (realmId: number, { avatar_file }: { avatar_file: string | null }) =>
      avatarFiles(avatar_file).map((name) => picturePath(realmId, name)),
  },
  custom_emoji: {
    columns: ['file', 'still_file'],
    isThere: 'true',
    files: (realmId: number, { file, still_file }: Emoji) =>
      [emojiFile(file), ...(still_file === null ? [] : [emojiStillFile(still_file)])].map((name) =>
        picturePath(realmId, name),
      ),
  },
  realm: {
    columns: ['icon_file', 'logo_file', 'night_logo_file'],
    isThere: 'true',
    files: (realmId: number, { icon_file, logo_file, night_logo_file }: RealmPictures) =>
      [icon_file, logo_file, night_logo_file].flatMap((file) =>
        file === null ? [] : [picturePath(realmId, realmPictureName(file))],
      ),
  },
  data_export: {
    columns: ['file'],
    isThere: 'finished_at IS NOT NULL AND deleted_at IS NULL',
    files: (realmId: number, { file }: { file: string }) => [exportPath(realmId, file)],
  },
} as const

/** Returns the paths of the files of a table's row; rows of other tables have none. */
export function filesOfRow(table: string, realmId: number, row: object): string[] {
  const found = (tablesWithFiles as Record<string, { files(realmId: number, row: object): string[] }>)[table]
  return found?.files(realmId, row) ?? []
}
