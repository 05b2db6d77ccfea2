/** The limits of delivering mails. */
export const deliveryLimits = {
  /** Mails that a node sends concurrently. */
  concurrentMails: 10,
  /** Seconds after which it is uncertain whether a mail that was being handed over was delivered. */
  mailUncertainSeconds: 90,
  /** Seconds of the first pause between two attempts. */
  mailFirstPauseSeconds: 30,
  /** Seconds of the longest pause between two attempts. */
  mailLongestPauseSeconds: 14_400,
  /** Days for which delivering a mail is tried. */
  mailTryDays: 3,
} as const
