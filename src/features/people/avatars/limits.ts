/** The limits of avatars. */
export const avatarLimits = {
  /** MiB of an avatar. */
  avatarMib: 5,
} as const
