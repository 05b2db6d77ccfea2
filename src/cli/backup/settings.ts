import { readFile } from 'node:fs/promises'
import { type Config, type Setting, settings } from '../../config/config.ts'
import { parseSettings, secretNames, writtenSettings } from '../../config/settings-file.ts'
import { settingsFile } from '../../config/sources.ts'
import { writePrivate } from '../private-file.ts'
import { secretFile, secretIn } from '../secret.ts'

/** They say where this server is, and what a backup of its database is put back into. */
const ofPlace: string[] = [settings.dataDirectory.name, settings.databaseUrl.name]

/** Returns the given settings that may be in a backup: those that are not secret. */
export function openSettings(environment: NodeJS.ProcessEnv): Record<string, string> {
  return given(environment, (name) => !secretNames.includes(name))
}

/** Writes the secrets of a server to a file: its own, and secret settings. It belongs elsewhere than the backup. */
export async function writeSecrets(config: Config, environment: NodeJS.ProcessEnv, file: string) {
  const secret = await secretIn(config)
  const others = given(environment, (name) => secretNames.includes(name))
  const all = { ...others, ...(secret !== undefined && { [settings.secret.name]: secret }) }
  await writePrivate(file, writtenSettings(all))
}

function given(environment: NodeJS.ProcessEnv, isWanted: (name: string) => boolean): Record<string, string> {
  const names = Object.values<Setting>(settings).map(({ name }) => name)
  return Object.fromEntries(
    names
      .filter((name) => isWanted(name) && !ofPlace.includes(name))
      .flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])),
  )
}

/** Puts settings and secrets into a data directory; the settings only if it has no file of them. Returns whether it did. */
export async function putSettings(
  config: Config,
  open: Record<string, string>,
  secretsFrom: string | undefined,
): Promise<boolean> {
  const secrets =
    secretsFrom === undefined ? {} : parseSettings(await readFile(secretsFrom, 'utf8'), secretsFrom)
  const { [settings.secret.name]: secret, ...others } = secrets
  if (secret !== undefined) await writePrivate(secretFile(config), `${secret}\n`)
  const file = settingsFile(config.dataDirectory)
  const isThere = await readFile(file).then(
    () => true,
    () => false,
  )
  const all = { ...open, ...others }
  if (isThere || Object.keys(all).length === 0) return false
  await writePrivate(file, `# Settings of the server that was backed up.\n${writtenSettings(all)}`)
  return true
}
