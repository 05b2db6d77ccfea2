import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { codeOf, messageOf } from '../lib/errors.ts'
import { ConfigError, settings } from './config.ts'
import { parseSettings, secretNames } from './settings-file.ts'

/** Variables from one place. */
export type Layer = {
  /** The place, for people. */
  origin: string
  variables: NodeJS.ProcessEnv
  /** The directory that relative paths of secrets start from. */
  base: string
  /**
   * Whether its files of secrets may be gone, as systemd's credentials are when the server has stopped: a command that does not need
   * them works without. The database and the server's secret must be known.
   */
  mayLackSecrets?: boolean
}

/** The settings of a server or command, from all places. */
export type SettingSources = {
  /** All variables, secrets read from their files. */
  environment: NodeJS.ProcessEnv
  /** All variables as they are given: for a secret that is in a file, the path of that file. */
  unread: NodeJS.ProcessEnv
  /** The origin of each given variable, as a text for people. */
  origins: Map<string, string>
  /** A sentence about each secret whose file is gone, and which is left out. */
  lacking: string[]
}

/** The options of a command line that say where settings come from, or override one. */
export type SettingPlaces = {
  config?: string | undefined
  data?: string | undefined
  workers?: string | undefined
}

/** The file of settings in a data directory. */
export function settingsFile(dataDirectory: string): string {
  return join(dataDirectory, 'rookery.env')
}

/**
 * Returns the settings of a server: from its environment; systemd's credentials; and the file that is named, or else the one in
 * the data directory. An earlier place takes precedence. Throws one sentence.
 */
export async function serverSources(
  environment: NodeJS.ProcessEnv,
  places: SettingPlaces,
): Promise<SettingSources> {
  const own = await ownLayers(environment, places)
  const file = await fileLayer(own, places)
  return combine([file, ...own].filter((layer) => layer !== undefined))
}

/** The environment's layers, the weakest first. */
export async function ownLayers(
  environment: NodeJS.ProcessEnv,
  { data, workers }: SettingPlaces,
): Promise<Layer[]> {
  const base = process.cwd()
  const given = { origin: 'environment', variables: environment, base }
  const layers: Layer[] = [await credentials(environment), given].filter((layer) => layer !== undefined)
  if (data !== undefined) {
    layers.push({ origin: '--data', variables: { [settings.dataDirectory.name]: data }, base })
  }
  if (workers !== undefined) {
    layers.push({ origin: '--workers', variables: { [settings.workers.name]: workers }, base })
  }
  return layers
}

/** The layer of the file that `--config` names, or else of the one in the data directory, if there is one. */
export async function fileLayer(own: Layer[], { config }: SettingPlaces): Promise<Layer | undefined> {
  if (config !== undefined) return readLayer(config, true)
  const file = settingsFile(directoryIn(own))
  const layer = await readLayer(file, false)
  if (layer && settings.dataDirectory.name in layer.variables) {
    throw new ConfigError(
      `${file} sets ${settings.dataDirectory.name}, but is found by it: leave it out, or name the file with --config.`,
    )
  }
  return layer
}

/** The data directory that layers name, or else the default one. */
export function directoryIn(layers: Layer[]): string {
  const { name, default: usual } = settings.dataDirectory
  const given = layers.map(({ variables }) => variables[name]).findLast((value) => value !== undefined)
  return resolve(given || usual)
}

/** The advice for an operator if the system refuses a file of settings. */
const whoMayRead =
  'Run this as the user who has the data directory, or give the file to the user who runs this (chown).'

async function readLayer(file: string, mustExist: boolean): Promise<Layer | undefined> {
  try {
    const text = await readFile(file, 'utf8')
    return { origin: file, variables: parseSettings(text, file), base: dirname(resolve(file)) }
  } catch (error) {
    if (error instanceof ConfigError) throw error
    if (!mustExist && ['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')) return undefined
    const advice = codeOf(error) === 'EACCES' ? ` ${whoMayRead}` : ''
    throw new ConfigError(`The settings in ${file} cannot be read: ${messageOf(error)}.${advice}`)
  }
}

/** Returns the secrets that systemd's `LoadCredential=` provides: files with the names of their settings. */
async function credentials({ CREDENTIALS_DIRECTORY: directory }: NodeJS.ProcessEnv) {
  if (!directory) return undefined
  const names = await readdir(directory).catch((error) => {
    throw new ConfigError(`The credentials in ${directory} cannot be read: ${messageOf(error)}.`)
  })
  const given = secretNames.filter((name) => names.includes(name))
  const variables = Object.fromEntries(given.map((name) => [`${name}_FILE`, join(directory, name)]))
  return { origin: 'systemd credential', variables, base: directory }
}

/** Puts layers together, the weakest first. An empty variable stands for the default, also over a weaker layer. */
export async function combine(layers: Layer[]): Promise<SettingSources> {
  const environment: NodeJS.ProcessEnv = {}
  for (const { variables } of layers) Object.assign(environment, variables)
  const unread = { ...environment }
  const origins = new Map<string, string>()
  const lacking: string[] = []
  for (const { origin, variables } of layers) {
    for (const [name, value] of Object.entries(variables)) if (value) origins.set(name, origin)
  }
  for (const name of secretNames) {
    for (const variables of [environment, unread]) delete variables[`${name}_FILE`]
    origins.delete(`${name}_FILE`)
    const layer = layers.findLast(
      ({ variables }) => variables[name] !== undefined || variables[`${name}_FILE`],
    )
    const path = layer && fileOf(layer, name)
    if (path === undefined) continue
    if (layer?.mayLackSecrets && !alwaysNeeded.includes(name) && !existsSync(path)) {
      lacking.push(`${name} is not known to this command: the file ${path}, which the server read, is gone.`)
      continue
    }
    const secret = await secretIn(name, path)
    environment[name] = secret
    delete unread[name]
    unread[`${name}_FILE`] = path
    origins.set(name, `${layer?.origin}: ${path}`)
  }
  return { environment, unread, origins, lacking }
}

/** Without these a command would work on another database, or seal secrets with another key. */
const alwaysNeeded: string[] = [settings.databaseUrl.name, settings.databases.name, settings.secret.name]

/** The path of the file with a secret, if the layer gives one. */
function fileOf({ variables, base }: Layer, name: string): string | undefined {
  const path = variables[`${name}_FILE`]
  if (!path) return undefined
  if (!variables[name]) return resolve(base, path)
  throw new ConfigError(`${name} and ${name}_FILE are both set: leave one of them out.`)
}

/** Secrets are short: keys, passwords, addresses. */
const longestSecret = 64 * 1024

async function secretIn(name: string, path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((error) => {
    throw new ConfigError(
      `${name}_FILE is ${JSON.stringify(path)}, which cannot be read: ${messageOf(error)}.`,
    )
  })
  const value = text.replace(/\r?\n$/, '')
  if (value !== '' && value.length <= longestSecret) return value
  const fault = value === '' ? 'is empty' : 'is too long for a secret'
  throw new ConfigError(`${name}_FILE is ${JSON.stringify(path)}, which ${fault}.`)
}
