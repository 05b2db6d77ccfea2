import type { FileStore } from '../src/adapters/files/file-store.ts'

/** Returns the paths of all files of a store, or of those that begin with `prefix`. */
export async function pathsIn(files: FileStore, prefix = ''): Promise<string[]> {
  const paths: string[] = []
  for await (const path of files.list(prefix)) paths.push(path)
  return paths
}
