/** The limits of passwords and logins. */
export const loginLimits = {
  /** Characters of a password at most. */
  passwordLength: 100,
  /** Characters of a password at least. */
  passwordMinLength: 6,
  /** Guesses that an attacker needs at least to find a password, as estimated. */
  passwordMinGuesses: 10_000,
  /** Characters of a password from whose beginning the guesses are estimated. */
  passwordEstimated: 32,
  /** Readings of a password with signs for letters, such as p4$$w0rd, that an estimate tries. */
  passwordVariants: 10,
  /** KiB of memory that the check of a password takes at most. A hash may come from an imported organization. */
  passwordHashMemory: 256 * 1024,
  /** Passes over this memory at most. */
  passwordHashPasses: 16,
  /** Attempts that may fail for an account from one network. */
  failedLogins: 5,
  /** Attempts that may fail for an account from all networks. */
  failedLoginsEverywhere: 100,
  /** Seconds in which failed attempts are counted. */
  failedLoginSeconds: 1_800,
} as const
