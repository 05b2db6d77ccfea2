/** The limits of the login page. */
export const signInLimits = {
  /**
   * Characters of the address to return to after login. Encoded, it must fit into a header that clients read.
   */
  destination: 700,
} as const
