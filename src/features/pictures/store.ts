import { randomBytes } from 'node:crypto'
import { ApiError } from '../../lib/api-error.ts'
import type { FileStore } from '../../lib/file-store.ts'

/** Pictures by their names: folders, a random part, and the suffix of the format. */
export type Pictures = Record<string, Buffer>

/**
 * The random part of a picture's name. It is never used again, so that an address cannot be guessed, and what is there
 * never changes.
 */
export function newPictureName(): string {
  return randomBytes(20).toString('hex')
}

/** Where a picture is in the store. */
export function picturePath(realmId: number, name: string): string {
  return `${realmId}/pictures/${name}`
}

/** Stores pictures for what `use` makes of them; if that is refused, nobody knows of them, and they are removed. */
export async function withPictures<T>(
  files: FileStore,
  realmId: number,
  pictures: Pictures,
  use: () => Promise<T>,
): Promise<T> {
  const names = Object.keys(pictures)
  for (const name of names) await files.put(picturePath(realmId, name), pictures[name]!)
  try {
    return await use()
  } catch (error) {
    // After any other error, what was to be committed may have been.
    if (error instanceof ApiError) await removePictures(files, realmId, names)
    throw error
  }
}

/** Removes pictures that nothing shows any more. One that cannot be removed does no harm but to take up room. */
export async function removePictures(files: FileStore, realmId: number, names: string[]): Promise<void> {
  await Promise.allSettled(names.map((name) => files.remove(picturePath(realmId, name))))
}
