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

describe('what is refused, in one sentence with the variable, the value and what is allowed', () => {
  test.each([
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
    ['ROOKERY_OWNER_EMAIL', 'owner', 'an e-mail address'],
    ['ROOKERY_OWNER_EMAIL', 'a b@example.com', 'an e-mail address'],
    ['ROOKERY_OWNER_EMAIL', 'jörg@example.com', 'an e-mail address'],
    ['ROOKERY_OWNER_EMAIL', 'a@b@example.com', 'an e-mail address'],
    ['ROOKERY_ORGANIZATION', '   ', 'a text of 1 to 40 characters'],
    ['ROOKERY_ORGANIZATION', 'x'.repeat(41), 'a text of 1 to 40 characters'],
    ['ROOKERY_DATABASE_CONNECTIONS', '1', 'a whole number from 2 to 100'],
    ['ROOKERY_TRUST_PROXY', 'constructor', '`on` or `off`'],
    ['ROOKERY_QUEUE_IDLE_SECONDS', '59', 'a whole number from 60 to 604800'],
    ['ROOKERY_LOG_DAYS', '91', 'a whole number from 1 to 90'],
  ])('%s=%s', (name, value, allowed) => {
    const message = refusal({ [name]: value })
    expect(message).toContain(`${name} is ${JSON.stringify(value)}, but must be ${allowed}`)
    expect(message).toMatch(/\.$/)
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
