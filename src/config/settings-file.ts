import { closestMatch } from 'leven'
import { ConfigError, type Setting, settings } from './config.ts'

/** The settings whose values may be secret: each can also be given as a file that holds the value. */
export const secretNames: string[] = Object.values<Setting>(settings)
  .filter(({ secret }) => secret)
  .map(({ name }) => name)

/** The variables that a file of settings may have. */
export const fileNames: string[] = [
  ...Object.values<Setting>(settings).map(({ name }) => name),
  ...secretNames.map((name) => `${name}_FILE`),
]

/**
 * Returns the variables in the text of a file like `rookery.env`: lines `NAME=value`, as systemd and Docker read them. A value may
 * stand in quotes; a line that begins with # is a comment. Throws one sentence that names the line, but never a value, which
 * may be secret.
 */
export function parseSettings(text: string, file: string): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [index, line] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    if (/^\s*(#|;|$)/.test(line)) continue
    const where = `Line ${index + 1} of ${file}`
    const [, name, rest] = /^\s*([A-Za-z_]\w*)=(.*)$/.exec(line) ?? []
    if (name === undefined || rest === undefined) throw new ConfigError(`${where} is not like NAME=value.`)
    if (!fileNames.includes(name)) {
      const nearest = closestMatch(name, fileNames)
      throw new ConfigError(`${where} sets ${name}, which is not a setting; did you mean ${nearest}?`)
    }
    if (name in found) throw new ConfigError(`${where} sets ${name}, which an earlier line sets, too.`)
    found[name] = unquoted(rest.trim(), where)
  }
  return found
}

function unquoted(value: string, where: string): string {
  const [quote] = value
  if (quote !== '"' && quote !== "'") return value
  if (value.length < 2 || !value.endsWith(quote))
    throw new ConfigError(`${where} lacks the closing ${quote}.`)
  const inside = value.slice(1, -1)
  return quote === '"' ? inside.replace(/\\(["\\])/g, '$1') : inside
}

/** Writes variables so that `parseSettings` reads them again. */
export function writtenSettings(variables: Record<string, string>): string {
  return Object.entries(variables)
    .map(([name, value]) => `${name}="${value.replace(/[\\"]/g, '\\$&')}"\n`)
    .join('')
}
