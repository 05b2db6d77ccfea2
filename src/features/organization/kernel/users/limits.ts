/** The limits of personal settings. */
export const settingLimits = {
  /** Pixels or percent in a setting of the web client's text. */
  settingPixels: 1_000,
} as const
