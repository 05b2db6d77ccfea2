/** The kind of job that registers a device with the relay. Its subject is the device. */
export const registrationJob = 'push registration'

/**
 * The kind of job that delivers an organization's notifications to the relay, one batch after the other. Its subject is
 * always 0.
 */
export const relayJob = 'push relay'

/**
 * The kind of job that delivers notifications to a browser, its subject. Browsers have their own push services, so they
 * do not wait for each other.
 */
export const browserJob = 'push browser'
