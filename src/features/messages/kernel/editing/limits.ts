/** The limits of who may edit. */
export const editAccessLimits = {
  /** Seconds beyond the time limit in which a begun edit can be finished. */
  editGraceSeconds: 20,
} as const
