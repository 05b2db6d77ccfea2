/** The limits of joining. */
export const signUpLimits = {
  /** Seconds in which an address can be confirmed. */
  signUpSeconds: 86_400,
  /** Mails an hour to one address. */
  signUpMailsPerHour: 3,
  /** Mails an hour that are requested from one network. */
  signUpMailsPerHourAndPlace: 50,
  /** Users for whom an organization waits. */
  signUpsWaiting: 1_000,
} as const
