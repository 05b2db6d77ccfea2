/** The level of the API that this server speaks; clients decide by it what they may use. */
export const featureLevel = 407

/** What clients show as the server's version. */
export const zulipVersion = '11.0-rookery'

/** The version of another server that this one would be based on: none. */
export const mergeBase = ''
