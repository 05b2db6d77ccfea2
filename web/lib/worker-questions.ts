/** A question of the service worker to a tab. The tab answers `true` if it does so. */
export type Question =
  /** Whether the tab announces new messages itself, and has heard of this one. */
  | { type: 'announces'; id: number }
  /** To open a view. */
  | { type: 'open'; hash: string }
