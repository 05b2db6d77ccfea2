import type { FileStore } from './file-store.ts'

/** What a node reaches beyond its database. Operations and jobs get it, so that none of them builds its own. */
export type Outside = {
  files: FileStore
}
