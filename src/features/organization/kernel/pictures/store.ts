import { randomBytes } from 'node:crypto'
import type { FileStore } from '../../../../adapters/files/file-store.ts'
import type { CommandContext } from '../../../../http/endpoint.ts'
import { ApiError } from '../../../../lib/api-error.ts'
import type { Change } from '../../../../log/change.ts'
import { abandonFiles, expectFiles, recordFiles } from '../stored-files/unrecorded.ts'

/** Pictures by name. A name consists of folders, a random part and the suffix of the format. */
export type Pictures = Record<string, Buffer>

/**
 * Returns the random part of a picture's name. It is never reused, so addresses cannot be guessed and their content
 * never changes.
 */
export function newPictureName(): string {
  return randomBytes(20).toString('hex')
}

/** Returns the path of a picture in the store. */
export function picturePath(realmId: number, name: string): string {
  return `${realmId}/pictures/${name}`
}

/** The context of an operation that stores pictures. */
type Place = Pick<CommandContext, 'realm' | 'adapters' | 'commit'>

/**
 * Stores pictures, and commits the change that uses them. If the change is refused, the pictures are removed; if the
 * server stops first, they are removed later. `finish` commits in place of `commit`.
 */
export async function withPictures<T>(
  { realm, adapters, commit }: Place,
  pictures: Pictures,
  work: (change: Change) => Promise<T>,
  finish: (work: (change: Change) => Promise<T>) => Promise<T> = commit,
): Promise<T> {
  const names = Object.keys(pictures)
  if (names.length === 0) return finish(work)
  const paths = names.map((name) => picturePath(realm.id, name))
  await commit((change) => expectFiles(change, paths))
  for (const name of names) await adapters.files.put(picturePath(realm.id, name), pictures[name]!)
  try {
    return await finish(async (change) => {
      await recordFiles(change, paths)
      return work(change)
    })
  } catch (error) {
    // After any other error, the change may have been committed.
    if (error instanceof ApiError) await removePictures(adapters.files, realm.id, names)
    throw error
  }
}

/** Marks pictures for removal within the change that removes their last use. */
export async function abandonPictures(change: Change, names: string[]): Promise<void> {
  await abandonFiles(
    change,
    names.map((name) => picturePath(change.state.id, name)),
  )
}

/** Removes abandoned pictures immediately. If one cannot be removed now, it is removed later. */
export async function removePictures(files: FileStore, realmId: number, names: string[]): Promise<void> {
  await Promise.allSettled(names.map((name) => files.remove(picturePath(realmId, name))))
}
