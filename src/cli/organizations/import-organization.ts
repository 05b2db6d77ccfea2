import { realmUrl } from '../../lib/site.ts'
import type { ImportTarget } from '../../setup/create-from-elsewhere.ts'
import type { CommandConfig, Outcome } from '../command.ts'
import { siteOf } from '../context.ts'
import { configuredFiles } from '../files.ts'
import { knownSecretsOf } from '../secret.ts'
import { fillDatabase } from './fill-database.ts'
import { checkHost } from './realm.ts'

/** The counts that imports from all servers report. `owner`: the email address of a user who may give others passwords. */
type Imported = {
  accounts: number
  channels: number
  messages: number
  files: number
  avatars: number
  owner: string
}

type Import<Made extends Imported> = {
  /** The full name of the organization, which was checked. */
  name: string
  subdomain: string
  run(databaseUrl: string, target: ImportTarget): Promise<Made>
  /** Says in sentences what was left out. */
  leftOut(made: Made): string[]
  /** Who `owner` is. */
  ownerIs: string
}

/** Makes an organization of an export of another server, and reports what was made. */
export function importOrganization<Made extends Imported>(
  config: CommandConfig,
  { name, subdomain, run, leftOut, ownerIs }: Import<Made>,
): Promise<Outcome> {
  return fillDatabase(config, async ({ url: databaseUrl, takeName }) => {
    const site = siteOf(config, await knownSecretsOf(config))
    if (subdomain !== '') checkHost(site)
    await takeName(subdomain)
    const organization = { name, subdomain, url: realmUrl(site, { subdomain }) }
    const target = { ...organization, site, actor: config.actor, files: configuredFiles(config) }
    const made = await run(databaseUrl, target)
    const { accounts, channels, messages, files, avatars, owner } = made
    const where = subdomain === '' ? '' : ` --realm ${subdomain}`
    const lines = [
      `The organization ${name} was imported, at ${organization.url}:`,
      `accounts ${accounts}, channels ${channels}, messages ${messages}, files ${files}, avatars ${avatars}.`,
      ...leftOut(made),
      `People have no passwords yet. Give ${ownerIs} one: rookery user password ${owner}${where}`,
    ]
    return { text: lines.join('\n'), data: { organization, ...made } }
  })
}
