import { access, constants, readFile, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { type Config, type Setting, settings } from '../../config/config.ts'
import { parseSettings, secretNames, writtenSettings } from '../../config/settings-file.ts'
import { settingsFile } from '../../config/sources.ts'
import { ignore } from '../../lib/guard.ts'
import { readingFrom, writingTo } from '../file-faults.ts'
import { writeForServer, writePrivate } from '../private-file.ts'
import { secretFile, secretIn } from '../secret.ts'

/** Settings that depend on this server: where it is, and into which database a backup is restored. */
const ofPlace: string[] = [settings.dataDirectory.name, settings.databaseUrl.name]

/** Returns the given settings that may be in a backup: those that are not secret. */
export function openSettings(environment: NodeJS.ProcessEnv): Record<string, string> {
  return settingsIn(environment, (name) => !secretNames.includes(name))
}

/** Throws one sentence if a file of secrets could not be written, before a backup that takes long. */
export function checkSecretsFile(file: string): Promise<void> {
  return writingTo(file, async () => {
    const there = await stat(file).catch(ignore)
    if (there?.isDirectory()) throw Object.assign(new Error('a directory'), { code: 'EISDIR', path: file })
    await access(dirname(resolve(file)), constants.W_OK)
  })
}

/** Writes the secrets of a server to a file: its own, and secret settings. It belongs elsewhere than the backup. */
export async function writeSecrets(config: Config, environment: NodeJS.ProcessEnv, file: string) {
  const secret = await secretIn(config)
  const others = settingsIn(environment, (name) => secretNames.includes(name))
  const all = { ...others, ...(secret !== undefined && { [settings.secret.name]: secret }) }
  await writingTo(file, () => writePrivate(file, writtenSettings(all)))
}

/** Reads a file that `writeSecrets` has written. Throws an error of one sentence. */
export async function readSecrets(file: string): Promise<Record<string, string>> {
  return parseSettings(await readingFrom(file, () => readFile(file, 'utf8')), file)
}

function settingsIn(
  environment: NodeJS.ProcessEnv,
  isWanted: (name: string) => boolean,
): Record<string, string> {
  const names = Object.values<Setting>(settings).map(({ name }) => name)
  return Object.fromEntries(
    names
      .filter((name) => isWanted(name) && !ofPlace.includes(name))
      .flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])),
  )
}

/** The result of restoring the settings of a backup. */
export type PutSettings = {
  /** Whether they have been written. */
  isWritten: boolean
  /** Settings that were not written because the data directory has a settings file with other values. */
  unwritten: string[]
  /** Settings of a bucket that were left out, as the files are now in the data directory. */
  ofBucket: string[]
}

/** Puts settings and secrets into a data directory; the settings only if it has no file of them. */
export async function putSettings(
  config: Config,
  open: Record<string, string>,
  secrets: Record<string, string>,
): Promise<PutSettings> {
  const { [settings.secret.name]: secret, ...others } = secrets
  if (secret !== undefined) await writeForServer(secretFile(config), `${secret}\n`)
  const all = { ...open, ...others }
  const ofBucket =
    config.s3Bucket === undefined ? Object.keys(all).filter((name) => name.startsWith('ROOKERY_S3_')) : []
  for (const name of ofBucket) delete all[name]
  const file = settingsFile(config.dataDirectory)
  const before = await readFile(file, 'utf8').catch(() => undefined)
  if (before !== undefined) {
    const there = parseSettings(before, file)
    const unwritten = Object.keys(all).filter((name) => there[name] !== all[name])
    return { isWritten: false, unwritten, ofBucket }
  }
  const isWritten = Object.keys(all).length > 0
  if (isWritten) {
    await writeForServer(file, `# Settings of the server that was backed up.\n${writtenSettings(all)}`)
  }
  return { isWritten, unwritten: [], ofBucket }
}
