import type { FileStore } from '../../adapters/files/file-store.ts'
import type { SafeFetch } from '../../adapters/safe-fetch.ts'
import type { Change } from '../../log/change.ts'
import { createFromElsewhere, type ImportTarget } from '../create-from-elsewhere.ts'
import { SlackAccounts } from './slack-accounts.ts'
import { addAvatars } from './slack-avatars.ts'
import type { SlackExport, SlackPerson, SlackPlace } from './slack-export.ts'
import {
  discardFiles,
  type FetchedFiles,
  fetchSlackFiles,
  fetchSlackPictures,
  SlackFiles,
} from './slack-files.ts'
import { SlackMessages } from './slack-messages.ts'
import { addPlaces } from './slack-places.ts'

type SlackImport = ImportTarget & {
  /** Fetches attached files and people's pictures; without it, they stay at Slack. */
  fetch: SafeFetch | undefined
}

/** The result of an import: what it created, and what it left out. */
export type ImportedWorkspace = {
  accounts: number
  channels: number
  messages: number
  /** People who are deactivated as the export has no email address of them. */
  addressless: number
  /** Reactions with emoji of the workspace, which an export does not have. */
  lostReactions: number
  files: number
  /** People with the picture that they have at Slack. */
  avatars: number
  /** Files to which messages link at Slack, as it has not given them out. */
  missingFiles: number
  /** Folders whose messages were left out, as no list of the export describes them. */
  unknownFolders: string[]
  /** The first owner's email address. */
  owner: string
}

/** Makes an organization of an export of Slack in the main database: all of it, or nothing. */
export async function importSlack(
  databaseUrl: string,
  source: SlackExport,
  { name, subdomain, url, site, actor, files, fetch }: SlackImport,
): Promise<ImportedWorkspace> {
  const realm = { name, subdomain, created_at: site.clock() }
  const [people, places] = [await source.people(), await source.places()]
  // Before the transaction, which would otherwise stay open for as long as Slack takes.
  const pictures = fetch ? await fetchSlackPictures(people, fetch, files) : new Map()
  const attached = fetch ? await fetchSlackFiles(source, places, fetch, files) : new Map()
  const content = { source, people, places, url, pictures, attached, store: files }
  try {
    return await createFromElsewhere(databaseUrl, { realm, actor, files }, (change) => fill(change, content))
  } finally {
    for (const fetched of [pictures, attached]) await discardFiles(fetched)
  }
}

type Content = {
  source: SlackExport
  people: SlackPerson[]
  places: SlackPlace[]
  url: string
  pictures: FetchedFiles
  attached: FetchedFiles
  store: FileStore
}

async function fill(
  change: Change,
  { source, people, places: listed, url, pictures, attached, store }: Content,
): Promise<ImportedWorkspace> {
  const accounts = new SlackAccounts(change)
  const owner = await accounts.addAll(people)
  const avatars = await addAvatars(change, accounts, pictures, store)
  const places = await addPlaces(change, listed, accounts)
  const files = new SlackFiles(change, attached)
  const messages = new SlackMessages({ change, url, accounts, places, files })
  for await (const day of source.days(listed)) for (const placed of day) await messages.add(placed)
  await messages.finish()
  return {
    ...messages.counts,
    ...files.counts,
    accounts: accounts.all.length,
    channels: [...places.values()].filter(({ channel }) => channel).length,
    addressless: accounts.addressless,
    avatars,
    unknownFolders: source.unknownFolders(listed),
    owner: owner.delivery_email,
  }
}
