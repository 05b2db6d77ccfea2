import { stat } from 'node:fs/promises'
import type { ImportedZulip } from '../../setup/zulip/import-zulip.ts'
import { leftOutTexts } from '../../setup/zulip/left-out.ts'
import { cliCommand, UsageError } from '../command.ts'
import { readingFrom } from '../file-faults.ts'
import { remark } from '../output.ts'
import { inTemporaryDirectory } from '../temporary-directory.ts'
import { checkNameOrDash } from './export.ts'
import { importOrganization } from './import-organization.ts'
import { checkRealmTitle } from './realm.ts'

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
    const { ZulipExport } = await import('../../setup/zulip/zulip-export.ts')
    const { importZulip } = await import('../../setup/zulip/import-zulip.ts')
    return withFolderOf(file, async (folder) => {
      const source = await readingFrom(file, () => ZulipExport.open(folder))
      const name = checkRealmTitle(options.name ?? (source.name || subdomain || 'Rookery'))
      return importOrganization(config, {
        name,
        subdomain,
        run: (databaseUrl, target) => importZulip(databaseUrl, source, { ...target, from, report: remark }),
        leftOut: leftOutIn,
        ownerIs: 'an owner or administrator',
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
  const { unpackExport } = await import('../../setup/zulip/unpack-export.ts')
  return inTemporaryDirectory(undefined, 'rookery-zulip-', async (folder) => {
    await readingFrom(file, () => unpackExport(file, folder))
    return work(folder)
  })
}

function leftOutIn({ leftOut }: ImportedZulip): string[] {
  return Object.entries(leftOutTexts).flatMap(([kind, text]) => {
    const count = leftOut[kind as keyof typeof leftOutTexts]
    return count ? `${text}: ${count}.` : []
  })
}
