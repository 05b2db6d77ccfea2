import { safeFetch } from '../../adapters/safe-fetch.ts'
import type { ImportedWorkspace } from '../../setup/slack/import-slack.ts'
import { cliCommand } from '../command.ts'
import { readingFrom } from '../file-faults.ts'
import { checkNameOrDash } from './export.ts'
import { importOrganization } from './import-organization.ts'
import { checkRealmTitle } from './realm.ts'

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
    const { SlackExport } = await import('../../setup/slack/slack-export.ts')
    const { importSlack } = await import('../../setup/slack/import-slack.ts')
    const source = await readingFrom(file, () => SlackExport.open(file))
    try {
      const fetch = options['without-files'] ? undefined : safeFetch()
      return await importOrganization(config, {
        name,
        subdomain,
        run: (databaseUrl, target) => importSlack(databaseUrl, source, { ...target, fetch }),
        leftOut: leftOutIn,
        ownerIs: 'the owner',
      })
    } finally {
      source.close()
    }
  },
})

function leftOutIn({
  missingFiles,
  addressless,
  lostReactions,
  unknownFolders,
}: ImportedWorkspace): string[] {
  const counts: [count: number, what: string][] = [
    [missingFiles, 'Files that are still at Slack, where messages link to them'],
    [addressless, 'People who are deactivated, as the export has no email address of them'],
    [lostReactions, 'Reactions that were left out, as an export has no emoji of the workspace itself'],
  ]
  const lines = counts.flatMap(([count, what]) => (count > 0 ? `${what}: ${count}.` : []))
  if (unknownFolders.length === 0) return lines
  const folders = unknownFolders.join(', ')
  return [
    ...lines,
    `Messages in these folders were left out, as no list of the export names them: ${folders}`,
  ]
}
