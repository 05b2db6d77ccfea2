import { randomBytes, randomUUID } from 'node:crypto'
import { link, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Config } from '../config/config.ts'
import { giveToOwnerOf } from '../lib/files/ownership.ts'
import { must } from '../lib/must.ts'
import { Secrets } from '../lib/secrets/sealed.ts'

/**
 * Returns the secrets of a server: from ROOKERY_SECRET, or else from the data directory, which must exist and gets a
 * new secret if it has none. Throws one sentence if the secret cannot be used.
 */
export async function secretsOf(config: Config): Promise<Secrets> {
  const secret = await secretIn(config)
  if (secret !== undefined) return new Secrets(secret)
  const file = secretFile(config)
  await make(file)
  // Read it again: another process may have written a secret first.
  return new Secrets(must(await read(file), `secret in ${file}`))
}

/**
 * Returns the secrets for a command. It never makes a secret: the file would belong to another user than the server, or
 * be in another directory. Without a secret, no sealed text can be opened, neither now nor later.
 */
export async function knownSecretsOf(config: Config): Promise<Secrets> {
  const secret = await secretIn(config).catch(() => undefined)
  return new Secrets(secret ?? newSecret())
}

/** What no longer works as before when a server has another secret. */
export const lossOfSecret =
  'the keys of bots and the links of invitations are not shown, users allow calls on Zoom again, and the addresses for incoming mail are others'

/** Returns what the log says of a start that has made a secret for data of earlier starts. */
export function newSecretWarning(config: Config): string {
  return `The server had no secret, and has made one in ${secretFile(config)}. If these data had another one, stop the server and put that back: until then ${lossOfSecret}.`
}

/** Returns the path of the secret of a server without ROOKERY_SECRET. */
export function secretFile({ dataDirectory }: Config): string {
  return join(dataDirectory, 'secret')
}

/** ROOKERY_SECRET, or else what the data directory holds; undefined if that has none. Throws one sentence. */
export async function secretIn(config: Config): Promise<string | undefined> {
  return config.secret ?? read(secretFile(config))
}

/** Characters; 32 hexadecimal digits are 128 bits. */
const shortest = 32

function newSecret(): string {
  return randomBytes(32).toString('hex')
}

async function read(file: string): Promise<string | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new Error(`The secret in ${file} cannot be read: ${error.message}.`, { cause: error })
  })
  if (text === undefined || text.trim().length >= shortest) return text?.trim()
  throw new Error(
    `The secret in ${file} is damaged: put back your copy of it (rookery backup --secrets writes one), or delete it to get a new one.`,
  )
}

/** Writes a new secret, unless there is one: whole or not at all, and on disk before anything is sealed with it. */
async function make(file: string): Promise<void> {
  const unfinished = `${file}.${randomUUID()}`
  try {
    const written = await open(unfinished, 'wx', 0o600)
    try {
      await written.writeFile(`${newSecret()}\n`)
      await written.sync()
    } finally {
      await written.close()
    }
    await giveToOwnerOf(dirname(file), unfinished)
    await link(unfinished, file).catch((error: NodeJS.ErrnoException) => {
      // Some file systems have no links; there, only the lock on the directory keeps others away.
      if (error.code !== 'EEXIST') return rename(unfinished, file)
    })
    const directory = await open(dirname(file))
    await directory.sync().finally(() => directory.close())
  } finally {
    await rm(unfinished, { force: true })
  }
}
