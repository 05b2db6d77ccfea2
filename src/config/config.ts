import { isIPv6 } from 'node:net'
import { closestMatch } from 'leven'
import { databaseUrls } from './database-urls.ts'
import { mailInSettings } from './mail-in-settings.ts'
import { monitoringSettings } from './monitoring-settings.ts'
import { pushSettings } from './push-settings.ts'
import {
  anyText,
  email,
  host,
  httpUrl,
  integerSetting,
  longText,
  natsUrls,
  oneOf,
  onOff,
  optional,
  origin,
  path,
  postgresUrl,
  required,
  smtpUrl,
  words,
  workerCount,
} from './setting-kinds.ts'
import { faultTogether } from './settings-together.ts'
import { signOnSettings } from './sign-on-settings.ts'
import { tracingSettings } from './tracing-settings.ts'
import { uploadSettings } from './upload-settings.ts'
import { zoomSettings } from './zoom-settings.ts'

/** One environment variable: its name, its allowed values, its default, its purpose. */
export interface Setting<T = unknown> {
  readonly name: string
  /** Describes the allowed values, in words that complete "must be …". */
  readonly type: string
  readonly default: string | undefined
  /** Shown in place of a default that is not one fixed text. */
  readonly otherwise?: string
  readonly summary: string
  /** Undefined: not allowed. */
  readonly parse: (text: string) => T | undefined
  /** True: the value may hold a password and is never shown in full. */
  readonly secret?: boolean
}

/** Every setting of the server, by its key in `Config`. */
export const settings = {
  dataDirectory: required('ROOKERY_DATA', path(), './data', 'Where the server keeps its data.'),
  databaseUrl: {
    ...optional('DATABASE_URL', postgresUrl(), 'own PostgreSQL in the data directory'),
    summary: 'The PostgreSQL database to use.',
    secret: true,
  },
  databases: {
    ...optional('ROOKERY_DATABASES', databaseUrls(), 'none: all organizations are in one database'),
    summary: 'Further PostgreSQL databases for organizations, by name.',
    secret: true,
  },
  databaseReplicaUrl: {
    ...optional('DATABASE_REPLICA_URL', postgresUrl(), 'none: all is read from the database itself'),
    summary: 'A standby of the database, which searches and reads history in its place.',
    secret: true,
  },
  databaseReplicas: {
    ...optional(
      'ROOKERY_DATABASE_REPLICAS',
      databaseUrls(),
      'none: all is read from the databases themselves',
    ),
    summary: 'Standbys of further databases, by the names of those.',
    secret: true,
  },
  natsUrl: {
    ...optional('NATS_URL', natsUrls(), 'none: they wake each other through PostgreSQL'),
    summary: 'The NATS servers through which nodes on one database wake each other.',
    secret: true,
  },
  host: required('HOST', host(), '127.0.0.1', 'The address to listen on; `0.0.0.0` for all.'),
  port: required('PORT', integerSetting(0, 65_535), '9990', 'The port to listen on; 0 takes a free one.'),
  publicUrl: {
    ...optional('ROOKERY_URL', origin(), '`http://<HOST or localhost>:<PORT>`'),
    summary: 'The URL at which people reach the server.',
  },
  rateLimits: required('ROOKERY_RATE_LIMITS', onOff(), 'on', 'Whether requests are limited in number.'),
  logLevel: required(
    'ROOKERY_LOG_LEVEL',
    oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    'info',
    'The least severe lines that are logged.',
  ),
  ownerEmail: required(
    'ROOKERY_OWNER_EMAIL',
    email(),
    'owner@example.com',
    'The email address of the first organization’s owner.',
  ),
  organization: required('ROOKERY_ORGANIZATION', words(40), 'Rookery', 'The name of the first organization.'),
  databaseConnections: required(
    'ROOKERY_DATABASE_CONNECTIONS',
    integerSetting(2, 100),
    '10',
    'How many connections to the database each worker opens at most.',
  ),
  workers: required(
    'ROOKERY_WORKERS',
    workerCount(),
    '1',
    'How many processes serve requests; `auto`: one for each core.',
  ),
  trustProxy: required(
    'ROOKERY_TRUST_PROXY',
    onOff(),
    'off',
    'Whether `X-Forwarded-*` headers are believed; only for a server behind a proxy.',
  ),
  smtpUrl: {
    ...optional(
      'ROOKERY_SMTP_URL',
      smtpUrl(),
      'none: mails wait in the database, and people who join by a link need not confirm their address',
    ),
    summary: 'The SMTP server that takes mails; with `smtps`, or to log in, through TLS.',
    secret: true,
  },
  mailFrom: {
    ...optional('ROOKERY_MAIL_FROM', email(), '`noreply@<host of ROOKERY_URL>`'),
    summary: 'The address that mails come from.',
  },
  ...mailInSettings,
  secret: {
    ...optional('ROOKERY_SECRET', longText(32), 'made at the first start, in the data directory'),
    summary: 'What seals secrets in the database. Nodes that share a database share it.',
    secret: true,
  },
  webPublicChannels: required(
    'ROOKERY_WEB_PUBLIC_CHANNELS',
    onOff(),
    'off',
    'Whether organizations may let anyone read some of their channels without logging in.',
  ),
  linkPreviews: required(
    'ROOKERY_LINK_PREVIEWS',
    onOff(),
    'off',
    'Whether organizations may show previews of pages that messages link to, which the server then reads.',
  ),
  queueIdleSeconds: required(
    'ROOKERY_QUEUE_IDLE_SECONDS',
    integerSetting(60, 604_800),
    '600',
    'How long an event queue lives without a poll, in seconds.',
  ),
  logDays: required(
    'ROOKERY_LOG_DAYS',
    integerSetting(1, 90),
    '7',
    'How long the event log is kept, in days.',
  ),
  webhooksPrivate: required(
    'ROOKERY_WEBHOOKS_PRIVATE',
    onOff(),
    'off',
    'Whether outgoing webhooks may reach private addresses: this machine and the network it stands in.',
  ),
  embeddedBots: required(
    'ROOKERY_EMBEDDED_BOTS',
    onOff(),
    'on',
    'Whether there are embedded bots, whose code is part of the server, and people may make them.',
  ),
  ...monitoringSettings,
  ...tracingSettings,
  ...uploadSettings,
  ...pushSettings,
  bigBlueButtonUrl: {
    ...optional('ROOKERY_BIGBLUEBUTTON_URL', httpUrl(), 'none: no calls on BigBlueButton'),
    summary: 'The BigBlueButton server for video calls: the URL below which its `api/` is.',
  },
  bigBlueButtonSecret: {
    ...optional('ROOKERY_BIGBLUEBUTTON_SECRET', anyText(), 'needed with a URL'),
    summary: 'The secret of that server.',
    secret: true,
  },
  ...zoomSettings,
  ...signOnSettings,
} as const satisfies Record<string, Setting>

type Declared = { [K in keyof typeof settings]: Value<(typeof settings)[K]> }
type Value<S> = S extends { default: string; parse: (text: string) => infer T }
  ? Exclude<T, undefined>
  : S extends { parse: (text: string) => infer T }
    ? T | undefined
    : never

/** The whole configuration. `dataDirectory` is absolute; `publicUrl` is an origin, without a slash at its end. */
export type Config = Omit<Declared, 'publicUrl'> & { publicUrl: string }

/** A setting that prevents the start. Its message is one sentence for the admin. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

/**
 * The configuration in these environment variables; an empty one counts as unset.
 * Throws `ConfigError` for a value that is not allowed and for an unknown variable beginning with `ROOKERY_`.
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const [first] = unknownVariables(env)
  if (first !== undefined) throw new ConfigError(first)
  const entries = Object.entries(settings).map(([key, setting]) => [key, read(setting, env)])
  const declared = Object.fromEntries(entries) as Declared
  const given = Object.values<Setting>(settings)
    .filter((setting) => env[setting.name] && env[setting.name] !== setting.default)
    .map((setting) => setting.name)
  const fault = faultTogether(new Set(given), declared)
  if (fault) throw new ConfigError(fault)
  return { ...declared, publicUrl: declared.publicUrl ?? defaultPublicUrl(declared.host, declared.port) }
}

/** Returns all that `readConfig` would refuse, in one sentence each. */
export function configFaults(env: NodeJS.ProcessEnv): string[] {
  const single = Object.values<Setting>(settings).flatMap((setting) => faultOf(() => read(setting, env)))
  const faults = [...unknownVariables(env), ...single]
  // Settings are compared with each other only where each of them is valid.
  return faults.length > 0 ? faults : faultOf(() => readConfig(env))
}

function faultOf(reading: () => unknown): string[] {
  try {
    reading()
    return []
  } catch (error) {
    if (error instanceof ConfigError) return [error.message]
    throw error
  }
}

/** Returns the value of a setting for people: without what is secret. */
export function shownValue({ name, secret }: Setting, text: string): string {
  // A URL that should have no password may have one.
  if (!secret) return withoutPassword(text)
  return name.endsWith('_URL') ? withoutToken(withoutPassword(text)) : '(secret)'
}

/** The URL of a server without `ROOKERY_URL` that listens on this host and port. */
export function defaultPublicUrl(host: string, port: number): string {
  const local = ['0.0.0.0', '::', '127.0.0.1', '::1'].includes(host)
  const name = local ? 'localhost' : isIPv6(host) ? `[${host}]` : host
  return new URL(`http://${name}:${port}`).origin
}

/** All settings as a Markdown table. */
export function configTable(): string {
  const rows = Object.values<Setting>(settings).map((setting) => {
    const fallback = setting.default === undefined ? setting.otherwise : `\`${setting.default}\``
    return `| \`${setting.name}\` | ${setting.type} | ${fallback} | ${setting.summary} |`
  })
  return ['| variable | value | default | meaning |', '|---|---|---|---|', ...rows, ''].join('\n')
}

function read(setting: Setting, env: NodeJS.ProcessEnv): unknown {
  const given = env[setting.name] || undefined
  const text = given ?? setting.default
  if (text === undefined) return undefined
  const value = setting.parse(text)
  if (value !== undefined) return value
  const isUrl = setting.name.endsWith('_URL')
  if (setting.secret && !isUrl) throw new ConfigError(`${setting.name} must be ${setting.type}.`)
  const shown = JSON.stringify(shownValue(setting, text))
  throw new ConfigError(`${setting.name} is ${shown}, but must be ${setting.type}.`)
}

function unknownVariables(env: NodeJS.ProcessEnv): string[] {
  const known = Object.values<Setting>(settings).map((setting) => setting.name)
  return Object.keys(env)
    .sort()
    .filter((name) => name.startsWith('ROOKERY_') && !known.includes(name) && env[name])
    .map((name) => `${name} is not a setting of this server; did you mean ${closestMatch(name, known)}?`)
}

function withoutPassword(text: string): string {
  return text.replace(/(:\/\/[^:/@]*):.*@/, '$1:…@').replace(/(password=)[^&\s]*/gi, '$1…')
}

/** A token stands in place of the name of a user. */
function withoutToken(text: string): string {
  return text.replace(/(:\/\/)[^:@]*@/g, '$1…@')
}
