import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { type Config, ConfigError, settings } from '../config/config.ts'
import { fileNames } from '../config/settings-file.ts'
import {
  combine,
  directoryIn,
  fileLayer,
  type Layer,
  ownLayers,
  type SettingPlaces,
  type SettingSources,
} from '../config/sources.ts'
import { isObject } from '../lib/is-object.ts'
import { writeForServer } from './private-file.ts'

/** Every setting except the data directory, which says where the others are. */
const names = fileNames.filter((name) => name !== settings.dataDirectory.name)

/**
 * Writes the settings that a server runs with to its data directory, for commands beside it. Passwords may be among them,
 * so only this user may read the file; of a secret that the server has read from a file, it holds the path.
 */
export async function leaveSettings(dataDirectory: string, unread: NodeJS.ProcessEnv): Promise<void> {
  const given = names.flatMap((name) => (unread[name] ? [[name, unread[name]]] : []))
  await writeForServer(
    lastSettingsFile(dataDirectory),
    `${JSON.stringify(Object.fromEntries(given), null, 2)}\n`,
  )
}

/**
 * Returns the settings of a command: its own environment, completed by the settings with which the server in its data
 * directory was last started, or, before the first start, by the file of settings there. A file that is named goes before
 * both. Throws one sentence if they cannot be read.
 */
export async function besideServer(
  environment: NodeJS.ProcessEnv,
  places: SettingPlaces,
): Promise<SettingSources> {
  const own = await ownLayers(environment, places)
  const named = places.config === undefined ? undefined : await fileLayer(own, places)
  const nearer = [named, ...own].filter((layer) => layer !== undefined)
  const directory = directoryIn(nearer)
  const file = lastSettingsFile(directory)
  const left = await settingsIn(file)
  const farther: Layer | undefined = left
    ? { origin: file, variables: left, base: directory, mayLackSecrets: true }
    : named
      ? undefined
      : await fileLayer(own, places)
  return combine([farther, ...nearer].filter((layer) => layer !== undefined))
}

/**
 * Throws an error of one sentence if the last server in the data directory used another database, and this server is not told of
 * it. It would begin with an empty database, or go on with an old one.
 */
export async function checkDatabaseIsNamed({ dataDirectory, databaseUrl }: Config): Promise<void> {
  if (databaseUrl !== undefined) return
  const file = lastSettingsFile(dataDirectory)
  const { name } = settings.databaseUrl
  const left = await settingsIn(file)
  const used = left?.[name] ? describeDatabase(left[name]) : left?.[`${name}_FILE`] && 'a database elsewhere'
  if (!used) return
  throw new ConfigError(
    `${name} is not set, but the last server in ${dataDirectory} used ${used}: set it again, or delete ${file} if this server is to have a database of its own.`,
  )
}

/** Describes a database without its user and password. */
function describeDatabase(url: string): string {
  const { database, host } = new pg.Client({ connectionString: url })
  return `the database ${database} at ${host}`
}

/** Returns the path of the file with the settings of the last server. */
export function lastSettingsFile(dataDirectory: string): string {
  return join(dataDirectory, 'settings.json')
}

/** Returns the settings that a server left, or undefined if none was started here. */
async function settingsIn(file: string): Promise<Record<string, string> | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw new ConfigError(
      `The settings of the server in ${file} cannot be read: ${error.message}. Run this command as the user who runs the server.`,
    )
  })
  if (text === undefined) return undefined
  try {
    const read: unknown = JSON.parse(text)
    if (!isObject(read)) throw new Error('it is no object')
    // Other names are settings of another version.
    return Object.fromEntries(
      names.flatMap((name) => (typeof read[name] === 'string' ? [[name, read[name]]] : [])),
    )
  } catch {
    throw new ConfigError(`${file} is damaged: delete it, and the next start of the server writes it anew.`)
  }
}
