/** The limits of default channel groups. */
export const defaultGroupLimits = {
  /** Characters of a group's name. */
  defaultChannelGroupNameLength: 60,
  /** Characters of a group's description. */
  defaultChannelGroupDescriptionLength: 1_024,
} as const
