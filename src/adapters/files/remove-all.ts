import type { FileStore } from './file-store.ts'

/**
 * Removes the files whose paths begin with this. Returns how many there were. It lists them until there are none: a listing need not
 * have all of a folder from which files are being removed.
 */
export async function removeAll(files: FileStore, prefix: string): Promise<number> {
  let count = 0
  for (let before = -1; before < count; ) {
    before = count
    for await (const path of files.list(prefix)) {
      await files.remove(path)
      count += 1
    }
  }
  return count
}
