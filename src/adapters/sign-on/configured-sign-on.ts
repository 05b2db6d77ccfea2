import { type Config, ConfigError } from '../../config/config.ts'
import { messageOf } from '../../lib/errors.ts'
import { ldapDirectory } from './ldap-directory.ts'
import { openIdProvider } from './open-id.ts'
import type { SignOn } from './sign-on.ts'

/** Returns the login methods that the settings name. Throws ConfigError for an incomplete one. */
export function signOnOf(config: Config): SignOn {
  const { jwtKey, jwtAlgorithm } = config
  return {
    openId: openIdOf(config),
    directory: directoryOf(config),
    jwt: jwtKey === undefined ? undefined : { key: jwtKey, algorithm: jwtAlgorithm },
    isDevelopment: config.developmentLogin,
    createsAccounts: config.signOnCreates,
    groups: config.signOnGroups ?? [],
    roles: config.signOnRoles ?? [],
  }
}

/** Throws ConfigError for settings that allow no login at all. */
export async function checkSignOn({ ldapUrl, ldapFilter }: Config) {
  if (ldapUrl === undefined) return
  const given = `ROOKERY_LDAP_FILTER is ${JSON.stringify(ldapFilter)}`
  // Every name would select the same user.
  if (!ldapFilter.includes('{username}')) throw new ConfigError(`${given}, but must contain {username}.`)
  const { FilterParser } = await import('ldapts')
  try {
    FilterParser.parseString(ldapFilter.replaceAll('{username}', 'anna'))
  } catch (error) {
    throw new ConfigError(`${given}, but must be an LDAP filter: ${messageOf(error)}.`)
  }
}

function openIdOf({ oidcIssuer, oidcClientId, ...config }: Config) {
  if (oidcIssuer === undefined) return undefined
  if (oidcClientId === undefined) {
    throw new ConfigError('ROOKERY_OIDC_ISSUER needs ROOKERY_OIDC_CLIENT_ID beside it.')
  }
  return openIdProvider({
    issuer: oidcIssuer,
    clientId: oidcClientId,
    clientSecret: config.oidcClientSecret,
    name: config.oidcName,
    scopes: config.oidcScopes,
    groupsClaim: config.oidcGroupsClaim,
  })
}

function directoryOf({ ldapUrl, ldapBase, ...config }: Config) {
  if (ldapUrl === undefined) return undefined
  if (ldapBase === undefined) throw new ConfigError('ROOKERY_LDAP_URL needs ROOKERY_LDAP_BASE beside it.')
  return ldapDirectory({
    url: ldapUrl,
    startTls: config.ldapStartTls,
    bindDn: config.ldapBindDn,
    bindPassword: config.ldapBindPassword,
    base: ldapBase,
    filter: config.ldapFilter,
    emailAttribute: config.ldapEmailAttribute,
    nameAttribute: config.ldapNameAttribute,
    groupsAttribute: config.ldapGroupsAttribute,
  })
}
