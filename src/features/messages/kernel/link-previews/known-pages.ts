import { memoizePer } from '../../../../lib/collections/memoize-per.ts'
import type { Site } from '../../../../lib/site.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import type { LinkPreview, Lookup } from '../../../../markdown/render.ts'
import { realmSettings } from '../../../kernel/settings/settings.ts'
import { knownPagesLimits } from './limits.ts'

/** The previews of pages that this node has seen, by address; null for pages that have nothing to show. */
class KnownPages {
  private readonly pages = new Map<string, { preview: LinkPreview | null; until: number }>()

  find(address: string, now: number): LinkPreview | null | undefined {
    const page = this.pages.get(pageAddress(address))
    return page && now < page.until ? page.preview : undefined
  }

  keep(address: string, preview: LinkPreview | null, now: number) {
    this.put(address, preview, now + knownPagesLimits.knownPageSeconds)
  }

  /** Notes that a page could not be read now. What is known of it goes on for a while. */
  keepFailed(address: string, now: number) {
    const known = this.pages.get(pageAddress(address))?.preview ?? null
    this.put(address, known, now + knownPagesLimits.failedPageSeconds)
  }

  private put(address: string, preview: LinkPreview | null, until: number) {
    const key = pageAddress(address)
    this.pages.delete(key)
    this.pages.set(key, { preview, until })
    const [oldest] = this.pages.keys()
    if (oldest !== undefined && this.pages.size > knownPagesLimits.knownPages) this.pages.delete(oldest)
  }
}

/** Returns the address of the page itself, without the place on it, in memory of its own: an address is a piece of a message. */
function pageAddress(address: string): string {
  return Buffer.from(address.replace(/#.*/s, '')).toString()
}

/** Each organization has its own, so that none learns from the time of an answer which pages others link to. */
export const knownPages = memoizePer<RealmState, KnownPages>(() => new KnownPages())

/** Returns the renderer's lookup of pages, if the server and the organization want previews of them. */
export function pageLookup(realm: RealmState, site: Site): Pick<Lookup, 'linkPreview'> {
  if (!site.linkPreviews || !realmSettings(realm).inline_url_embed_preview) return {}
  const pages = knownPages(realm)
  const now = site.clock()
  return { linkPreview: (address) => pages.find(address, now) }
}
