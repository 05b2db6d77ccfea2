import { randomBytes } from 'node:crypto'
import type { FileStore } from '../../../../adapters/files/file-store.ts'
import type { CommandContext } from '../../../../http/endpoint.ts'
import { ApiError } from '../../../../lib/api-error.ts'
import type { Change } from '../../../../log/change.ts'
import { abandonFiles, expectFiles, recordFiles } from '../stored-files/unrecorded.ts'

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

/** What an operation that stores pictures works with. */
type Place = Pick<CommandContext, 'realm' | 'outside' | 'commit'>

/**
 * Stores pictures, and commits what makes use of them. If that is refused, nobody knows of them, and they are removed; if
 * the server dies before, they are removed later. `finish` commits in place of `commit`.
 */
export async function withPictures<T>(
  { realm, outside, commit }: Place,
  pictures: Pictures,
  work: (change: Change) => Promise<T>,
  finish: (work: (change: Change) => Promise<T>) => Promise<T> = commit,
): Promise<T> {
  const names = Object.keys(pictures)
  if (names.length === 0) return finish(work)
  const paths = names.map((name) => picturePath(realm.id, name))
  await commit((change) => expectFiles(change, paths))
  for (const name of names) await outside.files.put(picturePath(realm.id, name), pictures[name]!)
  try {
    return await finish(async (change) => {
      await recordFiles(change, paths)
      return work(change)
    })
  } catch (error) {
    // After any other error, what was to be committed may have been.
    if (error instanceof ApiError) await removePictures(outside.files, realm.id, names)
    throw error
  }
}

/** Within the change after which nothing shows these pictures any more. */
export async function abandonPictures(change: Change, names: string[]): Promise<void> {
  await abandonFiles(
    change,
    names.map((name) => picturePath(change.state.id, name)),
  )
}

/** Removes abandoned pictures immediately. One that cannot be removed now is removed later. */
export async function removePictures(files: FileStore, realmId: number, names: string[]): Promise<void> {
  await Promise.allSettled(names.map((name) => files.remove(picturePath(realmId, name))))
}
