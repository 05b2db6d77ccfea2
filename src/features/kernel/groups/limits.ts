/** The limits of permissions. */
export const groupSettingLimits = {
  /** Users in the value of a permission. */
  settingMembers: 1_000,
  /** Groups in the value of a permission. */
  settingSubgroups: 100,
} as const
