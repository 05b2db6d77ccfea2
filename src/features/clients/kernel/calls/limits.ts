/** The limits of calls on Zoom. */
export const zoomLimits = {
  /** Seconds for which the lease to renew a user's tokens lasts. */
  zoomTurnSeconds: 25,
  /** Milliseconds between two checks of a request that waits for the lease. */
  zoomTurnPauseMs: 200,
  /** Checks before such a request gives up. */
  zoomTurnLooks: 150,
  /** Seconds before their expiry in which tokens are renewed. */
  zoomSpareSeconds: 60,
  /** Logins at Zoom that one user may have in progress. */
  zoomLogins: 5,
} as const
