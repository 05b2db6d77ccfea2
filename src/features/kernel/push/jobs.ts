/** The kinds of jobs. One registers a device (their subject) with the relay. */
export const registrationJob = 'push registration'

/** Brings an organization's notifications to the relay, one batch after the other; its subject is always 0. */
export const relayJob = 'push relay'

/** Brings notifications to a browser, their subject. Browsers have services of their own, so none waits for another. */
export const browserJob = 'push browser'
