import { jwtKeyFault } from '../lib/secrets/jwt-key.ts'

/** The settings that each setting needs, and those that mean nothing without it, by the names of the variables. */
const groups: { main: string; needs?: string[]; has?: string[] }[] = [
  {
    main: 'ROOKERY_S3_BUCKET',
    needs: ['ROOKERY_S3_ACCESS_KEY', 'ROOKERY_S3_SECRET_KEY'],
    has: ['ROOKERY_S3_ENDPOINT', 'ROOKERY_S3_REGION'],
  },
  { main: 'DATABASE_URL', has: ['DATABASE_REPLICA_URL'] },
  { main: 'ROOKERY_DATABASES', has: ['ROOKERY_DATABASE_REPLICAS'] },
  { main: 'ROOKERY_PUSH_RELAY_URL', has: ['ROOKERY_PUSH_RELAY_KEY', 'ROOKERY_PUSH_CLEAR_TEXT'] },
  { main: 'ROOKERY_BIGBLUEBUTTON_URL', needs: ['ROOKERY_BIGBLUEBUTTON_SECRET'] },
  {
    main: 'ROOKERY_ZOOM_CLIENT_ID',
    needs: ['ROOKERY_ZOOM_CLIENT_SECRET'],
    has: ['ROOKERY_ZOOM_URL', 'ROOKERY_ZOOM_API_URL'],
  },
  {
    main: 'ROOKERY_OIDC_ISSUER',
    needs: ['ROOKERY_OIDC_CLIENT_ID'],
    has: [
      'ROOKERY_OIDC_CLIENT_SECRET',
      'ROOKERY_OIDC_NAME',
      'ROOKERY_OIDC_SCOPES',
      'ROOKERY_OIDC_GROUPS_CLAIM',
    ],
  },
  {
    main: 'ROOKERY_LDAP_URL',
    needs: ['ROOKERY_LDAP_BASE'],
    has: [
      'ROOKERY_LDAP_STARTTLS',
      'ROOKERY_LDAP_BIND_DN',
      'ROOKERY_LDAP_FILTER',
      'ROOKERY_LDAP_EMAIL',
      'ROOKERY_LDAP_NAME',
      'ROOKERY_LDAP_GROUPS',
    ],
  },
  { main: 'ROOKERY_LDAP_BIND_DN', needs: ['ROOKERY_LDAP_BIND_PASSWORD'] },
  { main: 'ROOKERY_METRICS_PORT', has: ['ROOKERY_METRICS_HOST'] },
  { main: 'ROOKERY_MAIL_IN_DOMAIN', has: ['ROOKERY_MAIL_IN_PORT', 'ROOKERY_MAIL_IN_HOST'] },
  { main: 'ROOKERY_JWT_KEY', has: ['ROOKERY_JWT_ALGORITHM'] },
]

const signOn = ['ROOKERY_OIDC_ISSUER', 'ROOKERY_LDAP_URL']
const ofSignOn = ['ROOKERY_SIGN_ON_CREATES_ACCOUNTS', 'ROOKERY_SIGN_ON_GROUPS', 'ROOKERY_SIGN_ON_ROLES']

type Values = {
  databases: ReadonlyMap<string, string> | undefined
  databaseReplicas: ReadonlyMap<string, string> | undefined
  queueIdleSeconds: number
  logDays: number
  ldapUrl: string | undefined
  ldapStartTls: boolean
  jwtKey: string | undefined
  jwtAlgorithm: string
}

/**
 * Returns the fault of a combination of settings that are each valid, in one sentence. `given`: the variables that are
 * set to something other than their default.
 */
export function faultTogether(given: Set<string>, values: Values): string | undefined {
  for (const { main, needs = [], has = [] } of groups) {
    const missing = needs.find((name) => !given.has(name))
    if (given.has(main) && missing) return `${main} is set, so ${missing} must be set as well.`
    const loose = [...needs, ...has].find((name) => given.has(name))
    if (!given.has(main) && loose) return `${loose} is set, but does nothing without ${main}.`
  }
  const follows = ofSignOn.find((name) => given.has(name))
  if (follows && !signOn.some((name) => given.has(name))) {
    return `${follows} is set, but does nothing without ${signOn.join(' or ')}.`
  }
  return replicaFault(values) ?? queueFault(values) ?? ldapFault(values) ?? jwtFault(values)
}

function replicaFault({ databases, databaseReplicas }: Values): string | undefined {
  const unknown = [...(databaseReplicas?.keys() ?? [])].find((name) => !databases?.has(name))
  if (unknown === undefined) return undefined
  return `ROOKERY_DATABASE_REPLICAS names ${unknown}, which ROOKERY_DATABASES does not name.`
}

function queueFault({ queueIdleSeconds, logDays }: Values): string | undefined {
  if (queueIdleSeconds <= logDays * 86_400) return undefined
  return `ROOKERY_QUEUE_IDLE_SECONDS is ${queueIdleSeconds}, but no queue outlives the event log: ROOKERY_LOG_DAYS is ${logDays}.`
}

function ldapFault({ ldapUrl, ldapStartTls }: Values): string | undefined {
  if (!ldapStartTls || !ldapUrl?.startsWith('ldaps:')) return undefined
  return 'ROOKERY_LDAP_STARTTLS is on, but ROOKERY_LDAP_URL begins with ldaps: and speaks TLS anyway: leave one of them out.'
}

function jwtFault({ jwtKey, jwtAlgorithm }: Values): string | undefined {
  const fault = jwtKey === undefined ? undefined : jwtKeyFault(jwtKey, jwtAlgorithm)
  return fault && `ROOKERY_JWT_KEY must be ${fault} for ROOKERY_JWT_ALGORITHM=${jwtAlgorithm}.`
}
