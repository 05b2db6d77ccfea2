import { RedirectAnswer } from '../../../http/responses/answer-kinds.ts'
import type { SitePage } from '../../../http/responses/site-page.ts'
import { realmAddress, realmUrl } from '../../../lib/site.ts'
import { organizationsPath } from '../kernel/pages/layout.ts'
import { textsFor } from '../kernel/pages/texts.ts'
import { organizationAsked } from './organization-asked.ts'
import { organizationsPage } from './organizations-page.ts'

/** Lists the organizations of this browser; or leads to the one whose address was typed. */
export const showOrganizations: SitePage = {
  method: 'GET',
  path: organizationsPath,
  async handle(context) {
    const { site, fields, organizations, header } = context
    const typed = fields.get('organization')
    if (!typed) return organizationsPage(context)
    const { t } = textsFor(header('accept-language'))
    const subdomain = organizationAsked(site, typed)
    if (subdomain === undefined) {
      const message = t('organizations.elsewhere', { host: site.publicUrl.host })
      return organizationsPage(context, { status: 400, message, typed })
    }
    const [found] = await organizations([subdomain])
    // Never what was typed: that may only look like an address of this server.
    if (found) return new RedirectAnswer(`${realmUrl(site, found)}/`)
    const message = t('organizations.unknown', { address: realmAddress(site, { subdomain }) })
    return organizationsPage(context, { status: 404, message, typed })
  },
}
