/** The limits of what a node remembers of pages that messages link to. */
export const knownPagesLimits = {
  /** Pages that a node remembers for an organization. The ones that it read longest ago go first. */
  knownPages: 300,
  /** Seconds after which a page is read again when a message links to it. */
  knownPageSeconds: 86_400,
  /** Seconds after which a page that could not be read is tried again. */
  failedPageSeconds: 300,
} as const
