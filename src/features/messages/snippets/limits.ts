/** The limits of saved snippets. */
export const snippetLimits = {
  /** Characters of a snippet's title. */
  savedSnippetTitleLength: 60,
  /** Snippets of one user. */
  savedSnippetsPerUser: 1_000,
} as const
