import type { RequestInfo } from '../../../../http/endpoint.ts'
import { checkSameOrigin } from '../../../../http/session.ts'
import type { Site } from '../../../../lib/site.ts'
import type { RealmState } from '../../../../log/realm-state.ts'

/**
 * Throws 403 for a login that another site triggers in its visitor's browser. Programs other than browsers send no
 * origin.
 */
export function refuseOtherSites(realm: RealmState, site: Site, { header }: RequestInfo) {
  const names = ['origin', 'host', 'sec-fetch-site']
  const headers = Object.fromEntries(names.map((name) => [name, header(name)]))
  if (headers.origin === undefined && headers['sec-fetch-site'] === undefined) return
  checkSameOrigin(realm, site, headers)
}
