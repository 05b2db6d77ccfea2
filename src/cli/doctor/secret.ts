import { stat } from 'node:fs/promises'
import type pg from 'pg'
import type { Config } from '../../config/config.ts'
import { settingsFile } from '../../config/sources.ts'
import type { ApiKeyRow } from '../../db/schema.ts'
import { openApiKey } from '../../features/bots/kernel/login/sealed-key.ts'
import { messageOf } from '../../lib/errors.ts'
import { ownerFiles } from '../organizations/first-start.ts'
import { knownSecretsOf, lossOfSecret, secretFile, secretIn } from '../secret.ts'
import { lastSettingsFile } from '../server-settings.ts'
import type { Finding } from './checks.ts'

/** Checks whether there is a secret that the server can use, and who can read it. */
export async function checkSecret(config: Config): Promise<Finding> {
  try {
    if ((await secretIn(config)) === undefined) return await missingSecret(config)
  } catch (error) {
    return { level: 'FAIL', what: messageOf(error) }
  }
  if (config.secret !== undefined) return { level: 'ok', what: 'the secret is that of ROOKERY_SECRET' }
  const file = secretFile(config)
  const what = `the secret in ${file}`
  if (!(await allows(file, 0o077))) return { level: 'ok', what: `${what}, for this user only` }
  return { level: 'warn', what: `${what} can be read by others`, advice: `chmod 600 ${file}` }
}

/** Before the first start there is no secret; after it, the secret is lost. */
async function missingSecret(config: Config): Promise<Finding> {
  const wasStarted = await stat(lastSettingsFile(config.dataDirectory)).catch(() => undefined)
  if (!wasStarted) {
    return { level: 'warn', what: 'no secret yet', advice: 'The first start of the server makes it.' }
  }
  const advice = `Put back your copy of it (rookery backup --secrets writes one). Otherwise the next start makes a new one, and then ${lossOfSecret}.`
  return { level: 'FAIL', what: `the secret in ${secretFile(config)} is lost`, advice }
}

/**
 * Warns of the other files in the data directory that hold keys or passwords, if all users of the machine can read them. That a
 * group can may be what an administrator wants.
 */
export async function* checkPrivateFiles(config: Config): AsyncGenerator<Finding> {
  const { key, link } = ownerFiles(config)
  const { dataDirectory } = config
  for (const file of [key, link, lastSettingsFile(dataDirectory), settingsFile(dataDirectory)]) {
    if (!(await allows(file, 0o007))) continue
    yield { level: 'warn', what: `${file} can be read by all users`, advice: `chmod o= ${file}` }
  }
}

/** Returns whether the mode of a file has any of these bits; false if the file is missing. */
async function allows(file: string, bits: number): Promise<boolean> {
  const found = await stat(file).catch(() => undefined)
  return found !== undefined && (found.mode & bits) !== 0
}

/** Checks whether the sealed texts in the database can be opened. */
export async function checkSealed(client: pg.Client, config: Config): Promise<Finding> {
  const secrets = await knownSecretsOf(config)
  const { rows } = await client.query<ApiKeyRow>('SELECT * FROM api_key WHERE sealed IS NOT NULL')
  const closed = rows.filter((row) => openApiKey(secrets, row) === undefined).length
  if (closed === 0) return { level: 'ok', what: 'the API keys of bots can be shown to their owners' }
  const advice = `They work. Put back the secret of before (ROOKERY_SECRET, or the file secret in the data directory): until then ${lossOfSecret}.`
  return {
    level: 'warn',
    what: `${closed} of ${rows.length} API keys of bots were sealed with another secret, and cannot be shown`,
    advice,
  }
}
