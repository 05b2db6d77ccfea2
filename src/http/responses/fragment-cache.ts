import { hasSameItems } from '../../lib/collections/has-same-items.ts'
import { memoizePer } from '../../lib/collections/memoize-per.ts'
import { type Chunk, sharedIfLong } from '../../lib/gzip/gzip-chunks.ts'
import type { RealmState } from '../../log/realm-state.ts'

/**
 * Texts of at least this many characters are kept compressed. Shorter ones are compressed with the text around them, which takes fewer
 * bytes.
 */
const keptCompressedFrom = 4_096

/**
 * The texts in an organization's responses that many clients share, each kept until something that it was made from changes. Their number
 * is bounded by the number of rows and of kinds of viewers. Text for a single viewer does not belong here.
 */
class FragmentCache {
  private readonly known = new Map<string, { madeFrom: unknown[]; chunk: Chunk }>()

  /** `madeFrom`: everything that `make` reads: rows (which are replaced, never changed), versions, texts. */
  get(key: string, madeFrom: unknown[], make: () => string): Chunk {
    const found = this.known.get(key)
    if (found && hasSameItems(found.madeFrom, madeFrom)) return found.chunk
    const chunk = sharedIfLong(make(), keptCompressedFrom)
    this.known.set(key, { madeFrom, chunk })
    return chunk
  }
}

/** Returns the fragment cache of an organization's state. */
export const fragmentsOf = memoizePer<RealmState, FragmentCache>(() => new FragmentCache())
