import { ByteBudget } from '../../../../lib/collections/byte-budget.ts'
import { memoizePer } from '../../../../lib/collections/memoize-per.ts'
import { DeflatedText } from '../../../../lib/gzip/gzip-chunks.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { messageLimits } from '../../../kernel/messages/limits.ts'

/** The pages of an organization that several readers got alike. */
export const sharedPages = memoizePer<RealmState, SharedPages>(() => new SharedPages())

type Page = { key: string; text: DeflatedText }

/** The bytes that a page takes besides its key and its text. */
const bytesOfPage = 512

const budget = new ByteBudget<Page>(messageLimits.sharedPageBytesOfNode, messageLimits.sharedPageBytes)

/**
 * The compressed texts of pages. Compressing a page takes twice as long as all other work for it, so it is kept compressed from its second use
 * on. If there are too many, the least recently used ones are dropped.
 */
class SharedPages {
  /** In the order of their use. */
  private readonly pages = new Map<string, Page>()
  private readonly share = budget.share((page) => this.end(page))

  /** Returns the compressed text of a page, which is made on its use; undefined if the page is asked for the first time. `key` is its own. */
  get(key: string): DeflatedText | undefined {
    const known = this.pages.get(key)
    if (!known) {
      this.begin(key)
      return undefined
    }
    this.pages.delete(key)
    this.pages.set(key, known)
    this.share.use(known)
    return known.text
  }

  private begin(key: string) {
    const text = new DeflatedText((bytes) => {
      if (this.pages.get(key) === page) this.share.grow(page, bytes)
    })
    const page = { key, text }
    this.pages.set(key, page)
    this.share.grow(page, bytesOfPage + key.length)
    for (const oldest of this.pages.values()) {
      if (this.pages.size <= messageLimits.sharedPages) return
      this.end(oldest)
    }
  }

  private end(page: Page) {
    this.pages.delete(page.key)
    this.share.remove(page)
  }
}
