/** The limits of user groups. */
export const groupLimits = {
  /** Characters of a group's name. */
  groupNameLength: 100,
  /** Characters of a group's description. */
  groupDescriptionLength: 10_000,
  /** Groups that a user who is no administrator creates in a day. */
  newGroupsPerDay: 200,
  /** Members of a new group that one step adds. */
  membersPerStep: 1_000,
  /** Members that are changed in the first step, each of them with a notice. */
  noticesPerChange: 100,
} as const
