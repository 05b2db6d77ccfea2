/** What the service worker asks a tab. The tab answers `true` if it does so. */
export type Question =
  /** Whether the tab announces new messages itself. */
  | { type: 'announces' }
  /** To open a view. */
  | { type: 'open'; hash: string }
