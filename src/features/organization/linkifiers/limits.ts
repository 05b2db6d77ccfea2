/** The limits of linkifiers. */
export const linkifierLimits = {
  /** Linkifiers of an organization. */
  linkifiers: 200,
  /** Characters of a linkifier's pattern. */
  linkifierPatternLength: 1_000,
  /** Characters of a text in which a linkifier is tried. */
  linkifierPreviewLength: 200,
} as const
