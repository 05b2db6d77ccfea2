import { RedirectAnswer } from '../../../http/responses/answer-kinds.ts'
import type { SitePage } from '../../../http/responses/site-page.ts'
import { organizationsPath } from '../kernel/pages/layout.ts'
import { knownOrganizations, knownOrganizationsCookie } from '../kernel/sessions/known-organizations.ts'
import { refuseOtherSites } from '../kernel/sessions/refuse-other-sites.ts'
import { forgetPath } from './organizations-page.ts'

/** Takes an organization off the list of this browser, or all of them. The one at the public host has an empty name. */
export const forgetOrganizations: SitePage = {
  method: 'POST',
  path: forgetPath,
  async handle({ site, fields, header }) {
    refuseOtherSites(site, { header })
    const forgotten = fields.get('organization')
    const names = knownOrganizations(header('cookie'))
    const kept = forgotten === undefined ? [] : names.filter((name) => name !== forgotten)
    return new RedirectAnswer(organizationsPath, {
      cookies: [knownOrganizationsCookie(site, header('host'), kept)],
    })
  },
}
