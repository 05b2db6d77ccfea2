import { notReady } from '../lib/api-error.ts'

/** The database lacks data that this node remembers. */
export class WentBack extends Error {}

/** 503: the caller has read a state of the organization that the database no longer has. */
export function goneBackError() {
  return notReady('The database has been put back to an earlier state. Try again in a moment.')
}
