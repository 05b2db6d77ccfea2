import { stat } from 'node:fs/promises'
import type pg from 'pg'
import type { Config } from '../config/config.ts'
import type { ApiKeyRow } from '../db/schema.ts'
import { openApiKey } from '../features/bots/kernel/login/sealed-key.ts'
import { messageOf } from '../lib/errors.ts'
import type { Finding } from './doctor-checks.ts'
import { knownSecretsOf, secretFile, secretIn } from './secret.ts'

/** Checks whether there is a secret that the server can use, and who can read it. */
export async function checkSecret(config: Config): Promise<Finding> {
  try {
    if ((await secretIn(config)) === undefined) {
      return { level: 'warn', what: 'no secret yet', advice: 'The first start of the server makes it.' }
    }
  } catch (error) {
    return { level: 'FAIL', what: messageOf(error) }
  }
  if (config.secret !== undefined) return { level: 'ok', what: 'the secret is that of ROOKERY_SECRET' }
  const file = secretFile(config)
  const what = `the secret in ${file}`
  if (((await stat(file)).mode & 0o077) === 0) return { level: 'ok', what: `${what}, for this user only` }
  return { level: 'warn', what: `${what} can be read by others`, advice: `chmod 600 ${file}` }
}

/** Checks whether the sealed texts in the database can be opened. */
export async function checkSealed(client: pg.Client, config: Config): Promise<Finding> {
  const secrets = await knownSecretsOf(config)
  const { rows } = await client.query<ApiKeyRow>('SELECT * FROM api_key WHERE sealed IS NOT NULL')
  const closed = rows.filter((row) => openApiKey(secrets, row) === undefined).length
  if (closed === 0) return { level: 'ok', what: 'the API keys of bots can be shown to their owners' }
  const advice =
    'They work. Put back the secret of before (ROOKERY_SECRET, or the file secret in the data directory), or let owners make new ones.'
  return {
    level: 'warn',
    what: `${closed} of ${rows.length} API keys of bots were sealed with another secret, and cannot be shown`,
    advice,
  }
}
