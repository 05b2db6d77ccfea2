import { checkSameOrigin } from '../../../../http/callers/session.ts'
import type { RequestInfo } from '../../../../http/endpoint.ts'
import type { Site } from '../../../../lib/site.ts'

/**
 * Throws 403 for a login that another site triggers in its visitor's browser. Programs other than browsers send no
 * origin.
 */
export function refuseOtherSites(site: Site, { header }: Pick<RequestInfo, 'header'>) {
  const names = ['origin', 'host', 'sec-fetch-site']
  const headers = Object.fromEntries(names.map((name) => [name, header(name)]))
  if (headers.origin === undefined && headers['sec-fetch-site'] === undefined) return
  checkSameOrigin(site, headers)
}
