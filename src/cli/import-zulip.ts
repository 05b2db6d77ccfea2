import { stat } from 'node:fs/promises'
import { realmUrl } from '../lib/site.ts'
import type { ImportedZulip } from '../setup/zulip/import-zulip.ts'
import { leftOutTexts } from '../setup/zulip/left-out.ts'
import { cliCommand, UsageError } from './command.ts'
import { siteOf } from './context.ts'
import { checkNameOrDash } from './export.ts'
import { readingFrom } from './file-faults.ts'
import { configuredFiles } from './files.ts'
import { fillDatabase } from './fill-database.ts'
import { remark } from './output.ts'
import { checkHost, checkRealmTitle } from './realm.ts'
import { knownSecretsOf } from './secret.ts'
import { inTemporaryDirectory } from './temporary-directory.ts'

/** Makes an organization of one that a team has at Zulip. */
export const importZulipCommand = cliCommand('import-zulip', {
  summary: 'make an organization out of an export of Zulip, with the ids and settings that it has there',
  arguments: ['FILE', 'NAME'],
  options: {
    name: { value: '"FULL NAME"', help: 'what people see; without it, as at Zulip' },
    from: { value: 'ADDRESS', help: 'the address at Zulip: links to it in messages will lead here' },
  },
  details: `FILE is the .tar.gz file that an administrator downloads there ("Export organization data"), or the folder in it. NAME is as in
rookery realm create: the organization is reached as NAME. in front of the public host name, or at the host itself if it is -.
All of it is imported, or nothing.

Users, channels, messages and emoji keep their ids, so links between messages stay right. Unread messages stay unread. People keep
their email addresses and get no mail; an export has no passwords and no keys, so they ask for a password by "Forgot password" or
sign on through a service. Bots get new keys. docs/guide/organizations.md says more.`,
  async run(config, { FILE: file, NAME: given }, options) {
    checkNameOrDash(given)
    const subdomain = given === '-' ? '' : given
    const from = addressOf(options.from)
    // Loaded here, as no other command needs them.
    const { ZulipExport } = await import('../setup/zulip/zulip-export.ts')
    const { importZulip } = await import('../setup/zulip/import-zulip.ts')
    return withFolderOf(file, async (folder) => {
      const source = await readingFrom(file, () => ZulipExport.open(folder))
      const name = checkRealmTitle(options.name ?? (source.name || subdomain || 'Rookery'))
      return fillDatabase(config, async ({ url, takeName }) => {
        const site = siteOf(config, await knownSecretsOf(config))
        if (subdomain !== '') checkHost(site)
        await takeName(subdomain)
        const place = { name, subdomain, url: realmUrl(site, { subdomain }) }
        const into = {
          ...place,
          from,
          site,
          actor: config.actor,
          files: configuredFiles(config),
          report: remark,
        }
        const made = await importZulip(url, source, into)
        return { text: textOf(place, made), data: { organization: place, ...made } }
      })
    })
  },
})

function addressOf(text: string | undefined): URL | undefined {
  if (text === undefined) return undefined
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return new URL(text)
  throw new UsageError('The address begins with https:// or http://.')
}

/** Does work with the folder of an export: the one that is named, or what is unpacked of the file. */
async function withFolderOf<T>(file: string, work: (folder: string) => Promise<T>): Promise<T> {
  const isFolder = await readingFrom(file, async () => (await stat(file)).isDirectory())
  if (isFolder) return work(file)
  const { unpackExport } = await import('../setup/zulip/unpack-export.ts')
  return inTemporaryDirectory(undefined, 'rookery-zulip-', async (folder) => {
    await readingFrom(file, () => unpackExport(file, folder))
    return work(folder)
  })
}

type Place = { name: string; subdomain: string; url: string }

function textOf({ name, subdomain, url }: Place, made: ImportedZulip): string {
  const { accounts, channels, messages, files, avatars, leftOut } = made
  const lines = [
    `The organization ${name} was imported, at ${url}:`,
    `accounts ${accounts}, channels ${channels}, messages ${messages}, files ${files}, avatars ${avatars}.`,
  ]
  for (const [kind, text] of Object.entries(leftOutTexts)) {
    const count = leftOut[kind as keyof typeof leftOutTexts]
    if (count) lines.push(`${text}: ${count}.`)
  }
  const where = subdomain === '' ? '' : ` --realm ${subdomain}`
  lines.push(
    `People have no passwords yet. Give an owner or administrator one: rookery user password ${made.owner}${where}`,
  )
  return lines.join('\n')
}
