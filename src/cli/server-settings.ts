import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { type Config, ConfigError, settings } from '../config/config.ts'
import { isObject } from '../lib/is-object.ts'
import { writePrivate } from './private-file.ts'

/** Every setting but the one that says where the others are. */
const names: string[] = Object.values(settings)
  .map(({ name }) => name)
  .filter((name) => name !== settings.dataDirectory.name)

/**
 * Writes the settings that a server runs with to its data directory, for commands beside it. Passwords are among them,
 * so only this user may read the file.
 */
export async function leaveSettings(dataDirectory: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const given = names.flatMap((name) => (environment[name] ? [[name, environment[name]]] : []))
  await writePrivate(fileIn(dataDirectory), `${JSON.stringify(Object.fromEntries(given), null, 2)}\n`)
}

/**
 * Returns the environment of a command, completed by the settings with which the server in its data directory was last
 * started. The command's own environment takes precedence; an empty variable means the default. Throws one sentence if
 * they cannot be read.
 */
export async function besideServer(environment: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  const { name, parse, default: usual } = settings.dataDirectory
  const directory = parse(environment[name] || usual)
  if (directory === undefined) return environment
  const left = await settingsIn(fileIn(directory))
  return { ...left, ...environment }
}

/**
 * Throws one sentence if the last server in the data directory used a database elsewhere, and this one is told of none:
 * it would begin with an empty one of its own, or go on with an old one.
 */
export async function checkDatabaseIsNamed({ dataDirectory, databaseUrl }: Config): Promise<void> {
  if (databaseUrl !== undefined) return
  const file = fileIn(dataDirectory)
  const { name } = settings.databaseUrl
  const used = (await settingsIn(file))[name]
  if (!used) return
  throw new ConfigError(
    `${name} is not set, but the last server in ${dataDirectory} used ${placeOf(used)}: set it again, or delete ${file} if this server is to have a database of its own.`,
  )
}

/** Describes a database without its user and password. */
function placeOf(url: string): string {
  const { database, host } = new pg.Client({ connectionString: url })
  return `the database ${database} at ${host}`
}

function fileIn(dataDirectory: string): string {
  return join(dataDirectory, 'settings.json')
}

async function settingsIn(file: string): Promise<Record<string, string>> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return '{}'
    throw new ConfigError(
      `The settings of the server in ${file} cannot be read: ${error.message}. Run this command as the user who runs the server.`,
    )
  })
  try {
    const read: unknown = JSON.parse(text)
    if (!isObject(read)) throw new Error('it is no object')
    // Others are those of another version.
    const known = names.flatMap((name) => (typeof read[name] === 'string' ? [[name, read[name]]] : []))
    return Object.fromEntries(known)
  } catch {
    throw new ConfigError(`${file} is damaged: delete it, and the next start of the server writes it anew.`)
  }
}
