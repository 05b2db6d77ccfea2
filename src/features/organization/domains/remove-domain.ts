import { requireOwner } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { pathText } from '../../../http/params.ts'
import type { Change } from '../../../log/change.ts'
import { realmSettings } from '../../kernel/settings/settings.ts'
import { realmSettingChanged } from '../kernel/settings/realm.event.ts'
import { allowedDomain } from './domains.ts'
import { domainRemoved } from './realm_domains.event.ts'

export const removeDomain = command('DELETE /realm/domains/{domain}', {
  summary: 'Remove an allowed email domain',
  access: requireOwner,
  params: { domain: pathText() },
  returns: {},
  async handle({ realm, params, commit }) {
    allowedDomain(realm, params.domain)
    await commit(async (change) => {
      const { id, domain } = allowedDomain(change.state, params.domain)
      await change.deleteAll('allowed_domain', [{ id }])
      if (change.state.allowedDomains.size === 1) await liftRestriction(change)
      change.emit(domainRemoved(domain), { everyone: true })
    })
    return {}
  },
})

/** Without any domain left, a restriction to domains would exclude everyone. */
async function liftRestriction(change: Change) {
  const { state } = change
  if (!realmSettings(state).emails_restricted_to_domains) return
  const settings = { ...state.row.settings, emails_restricted_to_domains: false }
  await change.update('realm', { id: state.id, settings })
  change.emit(realmSettingChanged('emails_restricted_to_domains', false), { everyone: true })
}
