import { randomBytes } from 'node:crypto'
import { uploadLimits } from './limits.ts'

/**
 * Returns the path of a new upload: the part after `/user_uploads/` in its address. It cannot be guessed, and ends in
 * the file name as far as addresses allow.
 */
export function newPath(realmId: number, name: string): string {
  const folder = randomBytes(1).readUInt8().toString(16)
  return `${realmId}/${folder}/${randomBytes(18).toString('base64url')}/${safeName(name)}`
}

/**
 * Keeps letters and digits of any language, dots, hyphens and underscores. Returns a default name if none are left.
 */
function safeName(name: string): string {
  const kept = name
    .toWellFormed()
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}\p{M}_\s.-]/gu, '')
    .trim()
    .replace(/[-\s]+/g, '-')
  return /^\.*$/.test(kept) ? 'uploaded-file' : shortened(kept)
}

/** Shortens a name but keeps its extension, because it shows the file type. */
function shortened(name: string): string {
  const characters = [...name]
  if (characters.length <= uploadLimits.fileNameLength) return name
  const [ending = ''] = /\.[^.]{1,10}$/.exec(name) ?? []
  return characters.slice(0, uploadLimits.fileNameLength - ending.length).join('') + ending
}

/** Returns the path of the content in the file store. It does not contain the name, which comes from a user. */
export function contentPath(path: string): string {
  const [realmId, folder, random] = path.split('/')
  return `${realmId}/uploads/${folder}/${random}`
}

/** Returns the path of a thumbnail in the file store. */
export function thumbnailPath(path: string, format: string): string {
  const [realmId, folder, random] = path.split('/')
  return `${realmId}/thumbnails/${folder}/${random}/${format}`
}
