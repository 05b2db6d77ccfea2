/** The limits of navigation views. */
export const navigationLimits = {
  /** Views of one user. */
  navigationViewsPerUser: 200,
  /** Characters of a view's address. */
  navigationFragmentLength: 500,
  /** Characters of a view's name. */
  navigationNameLength: 100,
} as const
