/** The limits of mails to be sent, and of the links in them. */
export const mailLimits = {
  /** Days for which a mail is kept in the list after it has gone out. */
  mailKeepDays: 30,
  /** Links of a kind that are mailed to a user in an hour. */
  linksPerHour: 2,
  /** Links of a kind that are mailed to a user in a day. */
  linksPerDay: 5,
  /** Requests a day from one address for mail to one user. */
  mailRequestsPerDay: 20,
} as const
