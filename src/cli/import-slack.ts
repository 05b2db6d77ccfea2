import { safeFetch } from '../adapters/safe-fetch.ts'
import { realmUrl } from '../lib/site.ts'
import type { ImportedWorkspace } from '../setup/slack/import-slack.ts'
import { cliCommand } from './command.ts'
import { siteOf } from './context.ts'
import { checkNameOrDash } from './export.ts'
import { readingFrom } from './file-faults.ts'
import { configuredFiles } from './files.ts'
import { fillDatabase } from './fill-database.ts'
import { checkHost, checkRealmTitle } from './realm.ts'
import { knownSecretsOf } from './secret.ts'

/** Creates an organization from an export of Slack. */
export const importSlackCommand = cliCommand('import-slack', {
  summary: 'make an organization out of an export of Slack: people, channels, messages and reactions',
  arguments: ['FILE', 'NAME'],
  options: {
    name: { value: '"FULL NAME"', help: 'what people see; without it, NAME' },
    'without-files': { help: 'leave attached files and the pictures of people at Slack' },
  },
  details: `FILE is the ZIP file that Slack makes. NAME is as in rookery realm create: the organization is reached as NAME. in front of
the public host name, or at the host itself if it is -. All of it is imported, or nothing.

Threads become topics. Attached files and pictures of people are fetched from Slack. Everything counts as read. People keep their email
addresses and get no mail; they have no password, and ask for one by "Forgot password" or sign on through a service. Those of
whom the export has no address are deactivated. docs/guide/organizations.md says more.`,
  async run(config, { FILE: file, NAME: given }, options) {
    checkNameOrDash(given)
    const subdomain = given === '-' ? '' : given
    const name = checkRealmTitle(options.name ?? (subdomain || 'Rookery'))
    // Loaded here, as no other command needs them.
    const { SlackExport } = await import('../setup/slack/slack-export.ts')
    const { importSlack } = await import('../setup/slack/import-slack.ts')
    const source = await readingFrom(file, () => SlackExport.open(file))
    try {
      return await fillDatabase(config, async ({ url, takeName }) => {
        const site = siteOf(config, await knownSecretsOf(config))
        if (subdomain !== '') checkHost(site)
        await takeName(subdomain)
        const fetch = options['without-files'] ? undefined : safeFetch()
        const place = { name, subdomain, url: realmUrl(site, { subdomain }) }
        const into = { ...place, site, fetch, actor: config.actor, files: configuredFiles(config) }
        const made = await importSlack(url, source, into)
        return { text: textOf(place, made), data: { organization: place, ...made } }
      })
    } finally {
      source.close()
    }
  },
})

type Place = { name: string; subdomain: string; url: string }

function textOf({ name, subdomain, url }: Place, made: ImportedWorkspace): string {
  const { accounts, channels, messages, files, avatars, unknownFolders } = made
  const lines = [
    `The organization ${name} was imported, at ${url}:`,
    `accounts ${accounts}, channels ${channels}, messages ${messages}, files ${files}, avatars ${avatars}.`,
  ]
  const leftOut = [
    [made.missingFiles, 'Files that are still at Slack, where messages link to them'],
    [made.addressless, 'People who are deactivated, as the export has no email address of them'],
    [made.lostReactions, 'Reactions that were left out, as an export has no emoji of the workspace itself'],
  ] as const
  for (const [count, what] of leftOut) if (count > 0) lines.push(`${what}: ${count}.`)
  if (unknownFolders.length > 0) {
    lines.push(
      `Messages in these folders were left out, as no list of the export names them: ${unknownFolders.join(', ')}`,
    )
  }
  const where = subdomain === '' ? '' : ` --realm ${subdomain}`
  lines.push(`People have no passwords yet. Give the owner one: rookery user password ${made.owner}${where}`)
  return lines.join('\n')
}
