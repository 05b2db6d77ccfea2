import { DeflatedText } from '../../../lib/gzip-parts.ts'
import { memoizePer } from '../../../lib/memoize-per.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { messageLimits } from '../../kernel/messages/limits.ts'

/** The pages of an organization that several readers got alike. */
export const sharedPages = memoizePer<RealmState, SharedPages>(() => new SharedPages())

/**
 * To compress a page takes twice as long as all other work for it, so it is kept compressed from its second use on. Those that were
 * not used for the longest time go first.
 */
class SharedPages {
  private readonly pages = new Map<string, DeflatedText>()

  /** Returns what compresses a page, if it has been asked for before. `key`: tells it from all others. */
  get(key: string): DeflatedText | undefined {
    const known = this.pages.get(key)
    this.pages.delete(key)
    this.pages.set(key, known ?? new DeflatedText())
    this.shorten()
    return known
  }

  private shorten() {
    let bytes = 0
    for (const { kept } of this.pages.values()) bytes += kept
    for (const [key, { kept }] of this.pages) {
      if (this.pages.size <= messageLimits.sharedPages && bytes <= messageLimits.sharedPageBytes) return
      this.pages.delete(key)
      bytes -= kept
    }
  }
}
