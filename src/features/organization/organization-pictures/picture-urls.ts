import { realmUrl, type Site } from '../../../lib/site.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { patternUrl, pictureUrl } from '../../kernel/pictures/addresses.ts'
import { defaultLogo } from '../kernel/pictures/default-logo.ts'

/** The pictures that an organization has. A logo is wide; the other one is for dark surroundings. */
export type RealmPicture = 'icon' | 'logo' | 'night_logo'

/** Whether somebody has uploaded a picture (U), or which other stands for it (G, D). */
export function realmPictureSource(realm: RealmState, picture: RealmPicture): 'U' | 'G' | 'D' {
  if (realm.realm[`${picture}_file`] !== null) return 'U'
  return picture === 'icon' ? 'G' : 'D'
}

/** The address of an organization's picture. */
export function realmPictureUrl(realm: RealmState, site: Site, picture: RealmPicture): string {
  const file = realm.realm[`${picture}_file`]
  if (file !== null) {
    return `${pictureUrl(realm.id, realmPictureName(file))}?version=${realm.realm[`${picture}_version`]}`
  }
  return picture === 'icon' ? drawnIcon(realm) : realmUrl(site, realm.realm) + defaultLogo.path
}

/** The name that an organization's picture has among the pictures. */
export function realmPictureName(file: string): string {
  return `realm/${file}.png`
}

/** A pattern made from the organization's id; a letter keeps it from being that of a person. */
function drawnIcon({ id, realm }: RealmState) {
  return `${patternUrl(id, `o${id}`)}?version=${realm.icon_version}`
}
