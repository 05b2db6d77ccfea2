/** The limits of reading the pages that messages link to. */
export const linkPreviewLimits = {
  /** Messages whose pages a node reads concurrently. */
  concurrentLinkPreviews: 10,
  /** Messages of one user and their bots in a minute whose pages a node reads. Further ones show no previews. */
  linkPreviewsPerMinute: 30,
  /** Pages of one site in a minute that a node reads. Further ones have no previews for a while. */
  pagesOfSitePerMinute: 60,
  /** Seconds to read a page, redirects included. */
  pageSeconds: 10,
  /** KiB of a page that are read: what previews show is near the beginning. */
  pageKib: 256,
  /** Redirects that are followed to a page. */
  pageRedirects: 3,
  /** Characters of a page that are parsed before other work of the node may run. */
  pageSlice: 2_048,
  /** Levels of nested elements in the head of a page. A deeper one has no preview. */
  pageDepth: 100,
  /** Characters of a page's title that are shown. */
  pageTitleLength: 200,
  /** Characters of a page's description that are shown. */
  pageDescriptionLength: 400,
  /** Characters of the address of a page's picture. One with a longer address is not shown. */
  pagePictureLength: 2_000,
} as const
