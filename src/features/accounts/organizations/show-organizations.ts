import { RedirectAnswer } from '../../../http/answers.ts'
import type { SitePage } from '../../../http/site-page.ts'
import { realmAddress, realmUrl } from '../../../lib/site.ts'
import { organizationsPath } from '../kernel/pages/layout.ts'
import { organizationAsked } from './asked.ts'
import { findOrganizations } from './find.ts'
import { organizationsPage } from './organizations-page.ts'

/** Lists the organizations of this browser; or leads to the one whose address was typed. */
export const showOrganizations: SitePage = {
  method: 'GET',
  path: organizationsPath,
  async handle(context) {
    const { site, fields, read } = context
    const typed = fields.get('organization')
    if (!typed) return organizationsPage(context)
    const subdomain = organizationAsked(site, typed)
    if (subdomain === undefined) {
      const message = `This is not an address of this server (${site.publicUrl.host}).`
      return organizationsPage(context, { status: 400, message, typed })
    }
    const [found] = await findOrganizations(read, [subdomain])
    // Never what was typed: that may only look like an address of this server.
    if (found) return new RedirectAnswer(`${realmUrl(site, found)}/`)
    const message = `There is no organization at ${realmAddress(site, { subdomain })}. Check that it is spelled right.`
    return organizationsPage(context, { status: 404, message, typed })
  },
}
