import { badRequest } from '../../../lib/api-error.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { realmSettings } from '../../kernel/settings/settings.ts'
import { disposableDomains } from './disposable-domains.ts'

/** Throws unless the organization allows the domain of this email address. Does not check the form of the address. */
export function checkAddressAllowed(realm: RealmState, email: string) {
  const problem = addressProblem(realm, email)
  if (problem === 'outside') throw badRequest(`Email '${email}' not allowed in this organization`)
  if (problem === 'plus') throw badRequest('Email addresses containing + are not allowed.')
  if (problem) throw badRequest('Disposable email addresses are not allowed in this organization')
}

/**
 * Returns the reason in the wording for one of several addresses, or for the user's own; undefined if the address is
 * allowed.
 */
export function addressRefusal(realm: RealmState, email: string): string | undefined {
  const problem = addressProblem(realm, email)
  return problem && refusals[problem]
}

const refusals = {
  outside: 'Outside your domain.',
  plus: 'Email addresses containing + are not allowed.',
  disposable: 'Please use your real email address.',
}

function addressProblem(realm: RealmState, email: string): keyof typeof refusals | undefined {
  const settings = realmSettings(realm)
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1).toLowerCase()
  if (!settings.emails_restricted_to_domains) {
    return settings.disallow_disposable_email_addresses && isDisposable(domain) ? 'disposable' : undefined
  }
  // With additions to the local part, one mailbox could create any number of accounts.
  if (email.slice(0, at).includes('+')) return 'plus'
  return isAllowed(realm, domain) ? undefined : 'outside'
}

function isAllowed(realm: RealmState, domain: string) {
  return (
    realm.allowedDomainByName(domain) !== undefined ||
    parentsOf(domain).some((parent) => realm.allowedDomainByName(parent)?.allow_subdomains)
  )
}

function isDisposable(domain: string) {
  return [domain, ...parentsOf(domain)].some((name) => disposableDomains.has(name))
}

/** Returns `b.c` and `c` for `a.b.c`. */
function parentsOf(domain: string): string[] {
  const labels = domain.split('.')
  return labels.slice(1).map((_, i) => labels.slice(i + 1).join('.'))
}
