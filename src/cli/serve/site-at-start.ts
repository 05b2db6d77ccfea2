import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import type { Site } from '../../lib/site.ts'
import { siteOf } from '../context.ts'
import { type FirstOrganization, firstOrganization } from '../organizations/first-start.ts'
import { newSecretWarning, secretIn, secretsOf } from '../secret.ts'

/** Returns the site of a server that starts, and its first organization. It makes the secret and the organization if they are missing. */
export async function siteAtStart(
  config: Config,
  databaseUrl: string,
  logger: Logger,
): Promise<{ site: Site; first: FirstOrganization }> {
  const lacksSecret = (await secretIn(config)) === undefined
  const site = siteOf(config, await secretsOf(config))
  const first = await firstOrganization(databaseUrl, config, site)
  if (lacksSecret && !first.isNew) logger.warn(newSecretWarning(config))
  return { site, first }
}
