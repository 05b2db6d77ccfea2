import { randomBytes } from 'node:crypto'
import { limits } from '../../../lib/limits.ts'

/**
 * The path of a new upload: what follows `/user_uploads/` in its address. It cannot be guessed, and ends in the file's
 * name as far as that may stand in an address.
 */
export function newPath(realmId: number, name: string): string {
  const folder = randomBytes(1)[0]!.toString(16)
  return `${realmId}/${folder}/${randomBytes(18).toString('base64url')}/${safeName(name)}`
}

/** Letters, digits, dots, hyphens and underscores of any language; for a name without any, a word of ours. */
function safeName(name: string): string {
  const kept = name
    .toWellFormed()
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}\p{M}_\s.-]/gu, '')
    .trim()
    .replace(/[-\s]+/g, '-')
  return /^\.*$/.test(kept) ? 'uploaded-file' : shortened(kept)
}

/** The end of a name says what the file is, so it stays. */
function shortened(name: string): string {
  const characters = [...name]
  if (characters.length <= limits.fileNameLength) return name
  const [ending = ''] = /\.[^.]{1,10}$/.exec(name) ?? []
  return characters.slice(0, limits.fileNameLength - ending.length).join('') + ending
}

/** Where the content is in the file store: without its name, which comes from a user. */
export function contentPath(path: string): string {
  const [realmId, folder, random] = path.split('/')
  return `${realmId}/uploads/${folder}/${random}`
}

/** Where a thumbnail is in the file store. */
export function thumbnailPath(path: string, format: string): string {
  const [realmId, folder, random] = path.split('/')
  return `${realmId}/thumbnails/${folder}/${random}/${format}`
}
