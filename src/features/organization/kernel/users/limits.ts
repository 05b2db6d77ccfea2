/** The limits of personal settings. */
export const settingLimits = {
  /** Pixels or percent in a setting of the web client's text. */
  settingPixels: 1_000,
  /** Seconds over which mails about missed messages are batched. */
  mailBatchingSeconds: 7 * 86_400,
} as const
