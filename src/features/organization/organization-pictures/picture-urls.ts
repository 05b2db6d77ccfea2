import type { RealmRow } from '../../../db/schema.ts'
import { realmUrl, type Site } from '../../../lib/site.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { patternUrl, pictureUrl } from '../../kernel/pictures/addresses.ts'
import { defaultLogo } from '../kernel/pictures/default-logo.ts'

/** The pictures of an organization. A logo is wide; `night_logo` is for dark themes. */
export type RealmPicture = 'icon' | 'logo' | 'night_logo'

/** Returns whether the picture was uploaded (U), or which default is shown in its place (G, D). */
export function realmPictureSource(realm: RealmState, picture: RealmPicture): 'U' | 'G' | 'D' {
  if (realm.row[`${picture}_file`] !== null) return 'U'
  return picture === 'icon' ? 'G' : 'D'
}

/** Returns the address of an organization's picture. */
export function realmPictureUrl(realm: RealmState, site: Site, picture: RealmPicture): string {
  if (picture === 'icon') return realmIconUrl(realm.row)
  const file = realm.row[`${picture}_file`]
  if (file === null) return realmUrl(site, realm.row) + defaultLogo.path
  return uploadedUrl(realm.id, file, realm.row[`${picture}_version`])
}

/** Returns the address of an organization's icon, relative to the root of its host. */
export function realmIconUrl(realm: Pick<RealmRow, 'id' | 'icon_file' | 'icon_version'>): string {
  const { id, icon_file, icon_version } = realm
  return icon_file === null ? drawnIcon(id, icon_version) : uploadedUrl(id, icon_file, icon_version)
}

function uploadedUrl(realmId: number, file: string, version: number) {
  return `${pictureUrl(realmId, realmPictureName(file))}?version=${version}`
}

/** Returns the name of an organization's picture in the picture store. */
export function realmPictureName(file: string): string {
  return `realm/${file}.png`
}

/** Returns a pattern made from the organization's id. A letter in the seed makes it different from a user's pattern. */
function drawnIcon(realmId: number, version: number) {
  return `${patternUrl(realmId, `o${realmId}`)}?version=${version}`
}
