import { generateKeyPairSync, type KeyPairKeyObjectResult } from 'node:crypto'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ConfigError, configTable, readConfig, settings } from './config.ts'

test('an empty environment gives the defaults', () => {
  expect(readConfig({})).toMatchObject({
    dataDirectory: resolve('data'),
    databaseUrl: undefined,
    host: '127.0.0.1',
    port: 9990,
    publicUrl: 'http://localhost:9990',
    rateLimits: true,
    logLevel: 'info',
    ownerEmail: 'owner@example.com',
    organization: 'Rookery',
    databaseConnections: 10,
    trustProxy: false,
    smtpUrl: undefined,
    mailFrom: undefined,
    oidcIssuer: undefined,
    ldapUrl: undefined,
    signOnCreates: false,
    developmentLogin: false,
    queueIdleSeconds: 600,
    logDays: 7,
  })
})

test('an empty variable counts as unset, also one that is unknown', () => {
  const empty = Object.fromEntries(Object.values(settings).map((setting) => [setting.name, '']))
  expect(readConfig({ ...empty, ROOKERY_UNKNOWN: '' })).toEqual(readConfig({}))
})

test('variables of others are left alone', () => {
  expect(readConfig({ PATH: '/bin', NODE_ENV: 'production', ROOKERYX: '1' })).toEqual(readConfig({}))
})

describe('what is allowed', () => {
  test.each([
    ['ROOKERY_DATA', '/srv/chat', { dataDirectory: '/srv/chat' }],
    ['ROOKERY_DATA', 'chat', { dataDirectory: resolve('chat') }],
    ['DATABASE_URL', 'postgres://u:p@db:5432/chat', { databaseUrl: 'postgres://u:p@db:5432/chat' }],
    ['DATABASE_URL', 'postgresql://u@/chat?host=/run', { databaseUrl: 'postgresql://u@/chat?host=/run' }],
    ['NATS_URL', 'nats://n:4222,tls://u:p%40@m', { natsUrl: 'nats://n:4222,tls://u:p%40@m' }],
    ['HOST', '0.0.0.0', { host: '0.0.0.0', publicUrl: 'http://localhost:9990' }],
    ['HOST', '::', { host: '::', publicUrl: 'http://localhost:9990' }],
    ['HOST', '127.0.0.1', { publicUrl: 'http://localhost:9990' }],
    ['HOST', 'fd00::1', { publicUrl: 'http://[fd00::1]:9990' }],
    ['HOST', 'chat.example.com', { publicUrl: 'http://chat.example.com:9990' }],
    ['PORT', '0', { port: 0 }],
    ['PORT', '80', { port: 80, publicUrl: 'http://localhost' }],
    ['PORT', '65535', { port: 65_535 }],
    ['ROOKERY_URL', 'https://chat.example.com', { publicUrl: 'https://chat.example.com' }],
    ['ROOKERY_URL', 'HTTPS://Chat.Example.com:443/', { publicUrl: 'https://chat.example.com' }],
    ['ROOKERY_URL', 'http://10.0.0.5:8080', { publicUrl: 'http://10.0.0.5:8080' }],
    ['ROOKERY_RATE_LIMITS', 'off', { rateLimits: false }],
    ['ROOKERY_LOG_LEVEL', 'silent', { logLevel: 'silent' }],
    ['ROOKERY_OWNER_EMAIL', 'ada+x@mail.example.com', { ownerEmail: 'ada+x@mail.example.com' }],
    ['ROOKERY_OWNER_EMAIL', 'root@localhost', { ownerEmail: 'root@localhost' }],
    ['ROOKERY_ORGANIZATION', ' Böhm & Söhne ', { organization: 'Böhm & Söhne' }],
    ['ROOKERY_ORGANIZATION', '🐦'.repeat(40), { organization: '🐦'.repeat(40) }],
    ['ROOKERY_DATABASE_CONNECTIONS', '100', { databaseConnections: 100 }],
    ['ROOKERY_TRUST_PROXY', 'on', { trustProxy: true }],
    ['ROOKERY_SMTP_URL', 'smtp://u:p%40@mail:587', { smtpUrl: 'smtp://u:p%40@mail:587' }],
    ['ROOKERY_MAIL_FROM', 'chat@example.com', { mailFrom: 'chat@example.com' }],
    ['ROOKERY_QUEUE_IDLE_SECONDS', '604800', { queueIdleSeconds: 604_800 }],
    ['ROOKERY_LOG_DAYS', '90', { logDays: 90 }],
  ])('%s=%s', (name, value, expected) => {
    expect(readConfig({ [name]: value })).toMatchObject(expected)
  })
})

describe('invalid settings are refused, in one sentence with the variable, the value and the allowed values', () => {
  const refused = [
    ['DATABASE_URL', 'mysql://db/chat', 'a URL like `postgresql://user:password@host/database`'],
    ['DATABASE_URL', 'db/chat', 'a URL like'],
    ['DATABASE_URL', 'postgres://db:port/chat', 'a URL like'],
    ['NATS_URL', 'n:4222', 'URLs like `nats://user:password@host:4222`'],
    ['NATS_URL', 'http://n:4222', 'URLs like'],
    ['NATS_URL', 'nats://n:4222/chat', 'URLs like'],
    ['NATS_URL', 'nats://n:4222, nats://m', 'URLs like'],
    ['HOST', 'my host', 'a host name or an IP address'],
    ['HOST', 'http://chat.example.com', 'a host name or an IP address'],
    ['HOST', '1.2.3.400', 'a host name or an IP address'],
    ['PORT', '65536', 'a whole number from 0 to 65535'],
    ['PORT', '-1', 'a whole number from 0 to 65535'],
    ['PORT', '80.5', 'a whole number from 0 to 65535'],
    ['PORT', '0x50', 'a whole number from 0 to 65535'],
    ['PORT', ' ', 'a whole number from 0 to 65535'],
    ['ROOKERY_URL', 'chat.example.com', 'an `http://` or `https://` URL without a path'],
    ['ROOKERY_URL', 'ftp://chat.example.com', 'an `http://` or `https://` URL without a path'],
    ['ROOKERY_URL', 'https://example.com/chat', 'an `http://` or `https://` URL without a path'],
    ['ROOKERY_URL', 'https://example.com?x=1', 'an `http://` or `https://` URL without a path'],
    ['ROOKERY_URL', 'https://me@example.com', 'an `http://` or `https://` URL without a path'],
    ['ROOKERY_RATE_LIMITS', 'true', '`on` or `off`'],
    ['ROOKERY_LOG_LEVEL', 'verbose', '`trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`'],
    ['ROOKERY_OWNER_EMAIL', 'owner', 'an email address'],
    ['ROOKERY_OWNER_EMAIL', 'a b@example.com', 'an email address'],
    ['ROOKERY_OWNER_EMAIL', 'jörg@example.com', 'an email address'],
    ['ROOKERY_OWNER_EMAIL', 'a@b@example.com', 'an email address'],
    ['ROOKERY_ORGANIZATION', '   ', 'a text of 1 to 40 characters'],
    ['ROOKERY_ORGANIZATION', 'x'.repeat(41), 'a text of 1 to 40 characters'],
    ['ROOKERY_DATABASE_CONNECTIONS', '1', 'a whole number from 2 to 100'],
    ['ROOKERY_WORKERS', '0', '`auto` or a whole number from 1 to 64'],
    ['ROOKERY_TRUST_PROXY', 'constructor', '`on` or `off`'],
    ['ROOKERY_QUEUE_IDLE_SECONDS', '59', 'a whole number from 60 to 604800'],
    ['ROOKERY_LOG_DAYS', '91', 'a whole number from 1 to 90'],
    ['ROOKERY_METRICS_PORT', '65536', 'a whole number from 0 to 65535'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318', 'an `http://` or `https://` URL'],
    ['OTEL_SERVICE_NAME', 'my chat', '1 to 100 characters without spaces'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5', 'a number from 0 to 1'],
    ['ROOKERY_METRICS_HOST', 'my host', 'a host name or an IP address'],
    ['ROOKERY_DATA', 'chat\u0000', 'a path'],
    ['ROOKERY_SMTP_URL', 'mail:587', 'a URL like `smtp://user:password@host:587`'],
    ['ROOKERY_MAIL_FROM', 'Chat <chat@example.org>', 'an email address'],
    ['ROOKERY_WEB_PUBLIC_CHANNELS', 'yes', '`on` or `off`'],
    ['ROOKERY_LINK_PREVIEWS', 'true', '`on` or `off`'],
    ['ROOKERY_WEBHOOKS_PRIVATE', '1', '`on` or `off`'],
    ['ROOKERY_EMBEDDED_BOTS', 'no', '`on` or `off`'],
    ['ROOKERY_UPLOAD_QUOTA_MIB', '0', 'a whole number from 1'],
    ['ROOKERY_S3_BUCKET', 'our files', 'a name of 3 to 63'],
    ['ROOKERY_S3_BUCKET', 'files/chat', 'a name of 3 to 63'],
    ['ROOKERY_S3_ENDPOINT', 's3.example.org', 'an `http://` or `https://` URL'],
    ['ROOKERY_S3_REGION', 'eu central', '1 to 40 characters without spaces'],
    ['ROOKERY_S3_ACCESS_KEY', 'AKID EXAMPLE', '1 to 128 characters without spaces'],
    ['ROOKERY_PUSH_RELAY_URL', 'push.example.org', 'an `http://` or `https://` URL'],
    ['ROOKERY_PUSH_CLEAR_TEXT', 'yes', '`on` or `off`'],
    ['ROOKERY_BIGBLUEBUTTON_URL', 'bbb.example.org', 'an `http://` or `https://` URL'],
    ['ROOKERY_ZOOM_CLIENT_ID', 'the id', '1 to 200 characters without spaces'],
    ['ROOKERY_ZOOM_URL', 'zoom.us', 'an `http://` or `https://` URL'],
    ['ROOKERY_ZOOM_API_URL', 'api.zoom.us', 'an `http://` or `https://` URL'],
    ['ROOKERY_OIDC_ISSUER', 'id.example.org', 'an `http://` or `https://` URL'],
    ['ROOKERY_OIDC_CLIENT_ID', 'the chat', '1 to 200 characters without spaces'],
    ['ROOKERY_OIDC_NAME', ' ', 'a text of 1 to 40 characters'],
    ['ROOKERY_OIDC_SCOPES', 'email profile', 'words with spaces between them, of which one is `openid`'],
    ['ROOKERY_OIDC_GROUPS_CLAIM', ' ', 'a text of 1 to 100 characters'],
    ['ROOKERY_LDAP_URL', 'ldap.example.org', 'an `ldap://` or `ldaps://` URL'],
    ['ROOKERY_LDAP_STARTTLS', 'yes', '`on` or `off`'],
    ['ROOKERY_LDAP_BIND_DN', ' ', 'a text of 1 to 500 characters'],
    ['ROOKERY_LDAP_BASE', 'example.org', 'a distinguished name'],
    ['ROOKERY_LDAP_EMAIL', 'email address', 'the name of an attribute'],
    ['ROOKERY_LDAP_NAME', '(cn)', 'the name of an attribute'],
    ['ROOKERY_LDAP_GROUPS', 'memberOf=', 'the name of an attribute'],
    ['ROOKERY_SIGN_ON_CREATES_ACCOUNTS', 'yes', '`on` or `off`'],
    ['ROOKERY_SIGN_ON_GROUPS', 'eng=role:members', 'pairs like'],
    ['ROOKERY_SIGN_ON_GROUPS', ';', 'pairs like'],
    ['ROOKERY_SIGN_ON_GROUPS', 'eng', 'pairs like'],
    ['ROOKERY_SIGN_ON_ROLES', 'admins=owner', 'pairs like'],
    ['ROOKERY_JWT_ALGORITHM', 'none', '`HS256`, `HS384`'],
    ['ROOKERY_DEVELOPMENT_LOGIN', 'yes', '`on` or `off`'],
  ] as const

  test.each(refused)('%s=%s', (name, value, allowed) => {
    const message = refusal({ [name]: value })
    expect(message).toContain(`${name} is ${JSON.stringify(value)}, but must be ${allowed}`)
    expect(message).toMatch(/\.$/)
  })

  test('of every setting that is not any text', () => {
    const names: string[] = refused.map(([name]) => name)
    // A secret of others may be anything; what it is good for, doctor finds out. The filter is read at the start; databases and incoming mail have tests of their own.
    const anyText = /_(KEY|SECRET|PASSWORD|TOKEN|HEADERS|LDAP_FILTER|DATABASES|REPLICA_URL|REPLICAS)$|MAIL_IN/
    const others = Object.values(settings).filter(({ name }) => !names.includes(name))
    expect(others.map(({ name }) => name).filter((name) => !anyText.test(name))).toEqual([])
  })

  test('a password is not repeated', () => {
    const message = refusal({ DATABASE_URL: 'postgres://chat:hunter2:@db:port/chat?password=hunter2' })
    expect(message).toContain('postgres://chat:…@db:port/chat?password=…')
    expect(message).not.toContain('hunter2')
    for (const url of [
      'nats://hunter2@n:x',
      'nats://n,nats://hunter2@m:x',
      'nats://u:hunter2@n,tls://n:x',
      'tls://%ff@n',
    ])
      expect(refusal({ NATS_URL: url })).not.toMatch(/hunter2|%ff/)
    expect(refusal({ DATABASE_URL: 'postgres://u:%ff@db/chat' })).toContain('postgres://u:…@db/chat')
    expect(refusal({ ROOKERY_SMTP_URL: 'smtp://u:%ff@mail' })).toContain('smtp://u:…@mail')
    expect(refusal({ ROOKERY_SMTP_URL: 'smtp://:hunter2@mail' })).toContain('smtp://:…@mail')
    // Nor where there should be none.
    for (const name of ['ROOKERY_URL', 'ROOKERY_OIDC_ISSUER', 'ROOKERY_S3_ENDPOINT', 'ROOKERY_LDAP_URL'])
      expect(refusal({ [name]: 'https://me:hunter2@chat' })).toContain('https://me:…@chat')
  })
})

describe('settings that are well by themselves, and cannot work together, are refused in one sentence', () => {
  const s3 = { ROOKERY_S3_BUCKET: 'files', ROOKERY_S3_ACCESS_KEY: 'id', ROOKERY_S3_SECRET_KEY: 'key' }
  const zoom = { ROOKERY_ZOOM_CLIENT_ID: 'id', ROOKERY_ZOOM_CLIENT_SECRET: 'secret' }
  const ldap = { ROOKERY_LDAP_URL: 'ldap://directory', ROOKERY_LDAP_BASE: 'dc=example' }
  const oidc = { ROOKERY_OIDC_ISSUER: 'https://id.example.org', ROOKERY_OIDC_CLIENT_ID: 'chat' }

  test.each<[string, Record<string, string>]>([
    ['ROOKERY_S3_SECRET_KEY must be set as well', { ...s3, ROOKERY_S3_SECRET_KEY: '' }],
    ['ROOKERY_S3_ENDPOINT is set, but does nothing', { ROOKERY_S3_ENDPOINT: 'https://s3.example.org' }],
    ['ROOKERY_S3_SECRET_KEY is set, but does nothing', { ROOKERY_S3_SECRET_KEY: 'key' }],
    ['ROOKERY_PUSH_RELAY_KEY is set, but does nothing', { ROOKERY_PUSH_RELAY_KEY: 'key' }],
    ['ROOKERY_BIGBLUEBUTTON_SECRET must be set', { ROOKERY_BIGBLUEBUTTON_URL: 'https://bbb' }],
    ['ROOKERY_BIGBLUEBUTTON_SECRET is set, but', { ROOKERY_BIGBLUEBUTTON_SECRET: 'secret' }],
    ['ROOKERY_ZOOM_CLIENT_SECRET must be set', { ...zoom, ROOKERY_ZOOM_CLIENT_SECRET: '' }],
    ['ROOKERY_ZOOM_URL is set, but does nothing', { ROOKERY_ZOOM_URL: 'https://zoom.example.org' }],
    ['ROOKERY_OIDC_CLIENT_ID must be set', { ...oidc, ROOKERY_OIDC_CLIENT_ID: '' }],
    ['ROOKERY_OIDC_CLIENT_SECRET is set, but does nothing', { ROOKERY_OIDC_CLIENT_SECRET: 'secret' }],
    ['ROOKERY_LDAP_BASE must be set', { ...ldap, ROOKERY_LDAP_BASE: '' }],
    ['ROOKERY_LDAP_FILTER is set, but does nothing', { ROOKERY_LDAP_FILTER: '(mail={username})' }],
    ['ROOKERY_LDAP_BIND_PASSWORD must be set', { ...ldap, ROOKERY_LDAP_BIND_DN: 'cn=chat' }],
    ['ROOKERY_LDAP_BIND_PASSWORD is set, but', { ...ldap, ROOKERY_LDAP_BIND_PASSWORD: 'x' }],
    [
      'ROOKERY_LDAP_STARTTLS is on, but',
      { ...ldap, ROOKERY_LDAP_URL: 'ldaps://x', ROOKERY_LDAP_STARTTLS: 'on' },
    ],
    ['ROOKERY_SIGN_ON_GROUPS is set, but does nothing', { ROOKERY_SIGN_ON_GROUPS: 'eng=engineers' }],
    ['ROOKERY_METRICS_HOST is set, but does nothing', { ROOKERY_METRICS_HOST: '0.0.0.0' }],
    ['ROOKERY_JWT_ALGORITHM is set, but does nothing', { ROOKERY_JWT_ALGORITHM: 'ES256' }],
    ['ROOKERY_QUEUE_IDLE_SECONDS is 86401', { ROOKERY_QUEUE_IDLE_SECONDS: '86401', ROOKERY_LOG_DAYS: '1' }],
  ])('%s', (sentence, environment) => {
    expect(refusal(environment)).toContain(sentence)
  })

  test.each([s3, zoom, ldap, oidc, { ROOKERY_PUSH_CLEAR_TEXT: 'off' }])('%j is well', (environment) => {
    expect(() => readConfig(environment)).not.toThrow()
  })
})

describe('a key that cannot check tokens is refused, and not repeated', () => {
  const pem = ({ publicKey }: KeyPairKeyObjectResult) =>
    publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const rsa = pem(generateKeyPairSync('rsa', { modulusLength: 2048 }))
  const weakRsa = pem(generateKeyPairSync('rsa', { modulusLength: 1024 }))
  const p256 = pem(generateKeyPairSync('ec', { namedCurve: 'P-256' }))
  const p384 = pem(generateKeyPairSync('ec', { namedCurve: 'P-384' }))
  const ed25519 = pem(generateKeyPairSync('ed25519'))
  const secret = 'a secret of 32 characters, no less'

  test.each([
    ['HS256', 'x'],
    ['HS512', 'x'.repeat(31)],
    ['HS256', rsa],
    ['RS256', secret],
    ['RS256', weakRsa],
    ['RS256', p256],
    ['RS256', rsa.replace(/[A-Z]{3}/, '...')],
    ['ES256', p384],
    ['ES256', ed25519],
    ['EdDSA', rsa],
  ])('%s %#', (algorithm, key) => {
    const message = refusal({ ROOKERY_JWT_KEY: key, ROOKERY_JWT_ALGORITHM: algorithm })
    expect(message).toMatch(/^ROOKERY_JWT_KEY must be an? .*\.$/)
    expect(message).not.toContain(key.slice(0, 40))
  })

  test.each([
    ['HS256', secret],
    ['RS256', rsa],
    ['RS256', rsa.replaceAll('\n', '\\n')],
    ['ES256', p256],
    ['EdDSA', ed25519],
  ])('%s is well %#', (algorithm, key) => {
    const { jwtKey } = readConfig({ ROOKERY_JWT_KEY: key, ROOKERY_JWT_ALGORITHM: algorithm })
    expect(jwtKey).toBe(key.replaceAll('\\n', '\n'))
  })

  test('nor is a secret that is too short', () => {
    expect(refusal({ ROOKERY_SECRET: 'hunter2' })).toBe(
      'ROOKERY_SECRET must be a text of 32 characters or more.',
    )
  })
})

describe('an unknown variable beginning with ROOKERY_ is refused with the nearest known one', () => {
  test.each([
    ['ROOKERY_RATE_LIMIT', 'ROOKERY_RATE_LIMITS'],
    ['ROOKERY_DATABASE_CONNECTION', 'ROOKERY_DATABASE_CONNECTIONS'],
    ['ROOKERY_DATE', 'ROOKERY_DATA'],
    ['ROOKERY_OWNER_MAIL', 'ROOKERY_OWNER_EMAIL'],
    ['ROOKERY_LOGLEVEL', 'ROOKERY_LOG_LEVEL'],
  ])('%s', (name, nearest) => {
    expect(refusal({ [name]: 'x' })).toBe(`${name} is not a setting of this server; did you mean ${nearest}?`)
  })
})

test('the table tells every setting, its default and what is allowed', () => {
  const rows = configTable().trimEnd().split('\n')
  expect(rows).toHaveLength(Object.keys(settings).length + 2)
  expect(rows).toContain(
    '| `PORT` | a whole number from 0 to 65535 | `9990` | The port to listen on; 0 takes a free one. |',
  )
  for (const row of rows) expect(row.split('|')).toHaveLength(6)
})

function refusal(env: NodeJS.ProcessEnv): string {
  try {
    readConfig(env)
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    return (error as Error).message
  }
  throw new Error('This environment was accepted.')
}
