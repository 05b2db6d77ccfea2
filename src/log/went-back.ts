import { notReady } from '../lib/api-error.ts'

/** The database does not have what this node remembers. */
export class WentBack extends Error {}

/** 503: the caller has read a state of the organization that is gone. */
export function hasGoneBack() {
  return notReady('The database has been put back to an earlier state. Try again in a moment.')
}
