/** The limits of the organization's pictures. */
export const organizationPictureLimits = {
  /** MiB of an icon. */
  iconMib: 5,
  /** MiB of a logo. */
  logoMib: 5,
} as const
