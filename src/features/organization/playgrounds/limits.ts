/** The limits of code playgrounds. */
export const playgroundLimits = {
  /** Playgrounds of an organization. */
  playgrounds: 200,
  /** Characters of a playground's name. */
  playgroundNameLength: 1_000,
  /** Characters of the name of a programming language. */
  playgroundLanguageLength: 40,
} as const
