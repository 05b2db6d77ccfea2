import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { isEmail } from '../lib/text/email.ts'

/** The values of a setting: a description that completes "must be …", and the parser; undefined means not allowed. */
export interface Kind<T> {
  type: string
  parse: (text: string) => T | undefined
}

export function required<T>(name: string, kind: Kind<T>, fallback: string, summary: string) {
  return { name, ...kind, default: fallback, summary }
}

export function optional<T>(name: string, kind: Kind<T>, otherwise: string) {
  return { name, ...kind, default: undefined, otherwise }
}

export function path(): Kind<string> {
  return { type: 'a path', parse: (text) => (text.includes('\0') ? undefined : resolve(text)) }
}

export function integerSetting(min: number, max: number): Kind<number> {
  return {
    type: `a whole number from ${min} to ${max}`,
    parse(text) {
      const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
      return number >= min && number <= max ? number : undefined
    },
  }
}

/** A number of processes. */
export function workerCount(): Kind<number> {
  const number = integerSetting(1, 64)
  return {
    type: `\`auto\` or ${number.type}`,
    parse: (text) => (text === 'auto' ? Math.min(availableParallelism(), 64) : number.parse(text)),
  }
}

export function onOff(): Kind<boolean> {
  const meaning = new Map([
    ['on', true],
    ['off', false],
  ])
  return { type: '`on` or `off`', parse: (text) => meaning.get(text) }
}

export function oneOf<const T extends string>(...allowed: T[]): Kind<T> {
  const list = allowed.map((word) => `\`${word}\``)
  return {
    type: `${list.slice(0, -1).join(', ')} or ${list.at(-1)}`,
    parse: (text) => allowed.find((word) => word === text),
  }
}

export function words(max: number): Kind<string> {
  return {
    type: `a text of 1 to ${max} characters`,
    parse(text) {
      const trimmed = text.trim()
      return trimmed !== '' && [...trimmed].length <= max ? trimmed : undefined
    },
  }
}

export function email(): Kind<string> {
  return {
    type: 'an email address',
    parse: (text) => (isEmail(text) ? text : undefined),
  }
}

export function host(): Kind<string> {
  const name = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i
  const numeric = /^[\d.]+$/
  return {
    type: 'a host name or an IP address',
    parse: (text) => (isIP(text) || (name.test(text) && !numeric.test(text)) ? text : undefined),
  }
}

/** The domain of email addresses. */
export function domain(): Kind<string> {
  const { parse } = host()
  return {
    type: 'a domain name',
    parse: (text) => (isIP(text) ? undefined : parse(text)?.toLowerCase()),
  }
}

export function postgresUrl(): Kind<string> {
  return {
    type: 'a URL like `postgresql://user:password@host/database`',
    parse(text) {
      // It may leave its host out (`postgresql://user@/name?host=/run/postgresql`), which `URL` does not know.
      const whole = text.replace('@/', '@localhost/')
      if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(whole)) return undefined
      const { username, password, pathname } = new URL(whole)
      return [username, password, pathname].every(canDecode) ? text : undefined
    },
  }
}

export function smtpUrl(): Kind<string> {
  return {
    type: 'a URL like `smtp://user:password@host:587` or `smtps://…`',
    parse(text) {
      if (!/^smtps?:\/\//.test(text) || !URL.canParse(text)) return undefined
      const { hostname, username, password, pathname, search, hash } = new URL(text)
      const isPlain = hostname !== '' && /^\/?$/.test(pathname + search + hash)
      const canLogIn = canDecode(username) && canDecode(password) && (password === '' || username !== '')
      return isPlain && canLogIn ? text : undefined
    },
  }
}

export function natsUrls(): Kind<string> {
  const isGood = (url: string) => {
    if (!/^(nats|tls):\/\//.test(url) || !URL.canParse(url)) return false
    const { hostname, username, password, pathname, search, hash } = new URL(url)
    const isPlain = hostname !== '' && /^\/?$/.test(pathname + search + hash)
    return isPlain && canDecode(username) && canDecode(password)
  }
  return {
    type: 'URLs like `nats://user:password@host:4222` or `tls://…`, with commas between them',
    parse: (text) => (text.split(',').every(isGood) ? text : undefined),
  }
}

export function origin(): Kind<string> {
  return {
    type: 'an `http://` or `https://` URL without a path',
    parse(text) {
      if (!/^https?:\/\/[^/?#@\s]+\/?$/i.test(text) || !URL.canParse(text)) return undefined
      return new URL(text).origin
    },
  }
}

function canDecode(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** A secret issued by another service: any text. */
export function anyText(): Kind<string> {
  return { type: 'a text', parse: (text) => text }
}

/** A secret of this server, which must not be guessed. */
export function longText(min: number): Kind<string> {
  return {
    type: `a text of ${min} characters or more`,
    parse: (text) => ([...text.trim()].length >= min ? text.trim() : undefined),
  }
}

/** A secret that others show in a header. */
export function token(min: number): Kind<string> {
  return {
    type: `a text of ${min} characters or more without spaces`,
    parse: (text) => (/^[!-~]+$/.test(text) && text.length >= min ? text : undefined),
  }
}

/** A key or a shared secret. In PEM, `\\n` stands for a new line, as variables often have one line only. */
export function keyText(): Kind<string> {
  const lines = (text: string) => (text.includes('-----BEGIN ') ? text.replaceAll('\\n', '\n') : text)
  return { type: 'a text', parse: lines }
}

/** A name without spaces, such as other services give. */
export function name(max: number): Kind<string> {
  return {
    type: `1 to ${max} characters without spaces`,
    parse: (text) => (/^[!-~]+$/.test(text) && text.length <= max ? text : undefined),
  }
}

export function bucketName(): Kind<string> {
  return {
    type: 'a name of 3 to 63 letters, digits, dots, hyphens and underscores',
    parse: (text) => (/^[a-z0-9][\w.-]{1,61}[a-z0-9]$/i.test(text) ? text : undefined),
  }
}

export function scopes(): Kind<string> {
  return {
    type: 'words with spaces between them, of which one is `openid`',
    parse(text) {
      const all = text.split(/\s+/).filter((scope) => scope !== '')
      return all.includes('openid') && all.every((scope) => /^[!#-[\]-~]+$/.test(scope))
        ? all.join(' ')
        : undefined
    },
  }
}

export function distinguishedName(): Kind<string> {
  return {
    type: 'a distinguished name like `ou=people,dc=example,dc=org`',
    parse: (text) =>
      /^\s*[a-z\d][\w.-]*\s*=[^=]/i.test(text) && text.length <= 500 ? text.trim() : undefined,
  }
}

export function attribute(): Kind<string> {
  return {
    type: 'the name of an attribute',
    parse: (text) => (/^[a-z\d][\w.;-]{0,99}$/i.test(text) ? text : undefined),
  }
}

export function httpUrl(): Kind<string> {
  return {
    type: 'an `http://` or `https://` URL',
    parse: (text) => (/^https?:\/\/[^?#@\s]+$/i.test(text) && URL.canParse(text) ? text : undefined),
  }
}

export function ldapUrl(): Kind<string> {
  return {
    type: 'an `ldap://` or `ldaps://` URL',
    parse: (text) => (/^ldaps?:\/\/[^/?#@\s]+\/?$/i.test(text) && URL.canParse(text) ? text : undefined),
  }
}

/**
 * `A=B; C=D`; the last `=` divides, so that what stands left may be a distinguished name. Right stands one of `allowed`, or
 * else a user group that is not of the system.
 */
export function pairs(allowed?: string[]): Kind<[theirs: string, ours: string][]> {
  const right = allowed?.map((word) => `\`${word}\``).join(', ') ?? 'user groups other than `role:…`'
  return {
    type: `pairs like \`THEIRS=OURS; THEIRS=OURS\`, with ${right} on the right`,
    parse(text) {
      const read = splitPairs(text, (pair) => pair.lastIndexOf('='))
      const isGood = ([theirs, ours]: [string, string]) =>
        theirs !== '' && ours !== '' && (allowed?.includes(ours) ?? !ours.startsWith('role:'))
      return read.length > 0 && read.every(isGood) ? read : undefined
    },
  }
}

/** Splits `A=B; C=D`. `dividerOf`: where the `=` is that divides a pair. */
export function splitPairs(
  text: string,
  dividerOf: (pair: string) => number,
): [left: string, right: string][] {
  const pairs = text.split(';').map((pair) => pair.trim())
  return pairs
    .filter((pair) => pair !== '')
    .map((pair) => {
      const at = dividerOf(pair)
      return [pair.slice(0, Math.max(at, 0)).trim(), pair.slice(at + 1).trim()]
    })
}

export function fraction(): Kind<number> {
  return {
    type: 'a number from 0 to 1',
    parse(text) {
      const number = /^\d(\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN
      return number <= 1 ? number : undefined
    },
  }
}

/** `name=value,name=value`; values are written as in a URL. */
export function headerPairs(): Kind<Record<string, string>> {
  return {
    type: 'headers like `name=value,name=value`',
    parse(text) {
      const pairs = text.split(',').map((pair) => {
        const at = pair.indexOf('=')
        return [pair.slice(0, Math.max(at, 0)).trim(), pair.slice(at + 1).trim()] as const
      })
      const isGood = pairs.every(
        ([header, value]) =>
          /^[\w!#$%&'*+.^`|~-]+$/.test(header) && canDecode(value) && /^[!-~]*$/.test(value),
      )
      return isGood
        ? Object.fromEntries(pairs.map(([header, value]) => [header, decodeURIComponent(value)]))
        : undefined
    },
  }
}
