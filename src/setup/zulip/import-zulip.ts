import type { FileStore } from '../../adapters/files/file-store.ts'
import { scheduleDigests } from '../../features/notifications/digests/schedule-digests.ts'
import { codeOf, messageOf } from '../../lib/errors.ts'
import type { Change } from '../../log/change.ts'
import { createFromElsewhere, type ImportTarget } from '../create-from-elsewhere.ts'
import type { LeftOut } from './left-out.ts'
import { addZulipBots } from './zulip-bots.ts'
import { addZulipChannels } from './zulip-channels.ts'
import type { ZulipExport } from './zulip-export.ts'
import { ZulipGroups } from './zulip-groups.ts'
import { ZulipMessages } from './zulip-messages.ts'
import { ZulipPeople } from './zulip-people.ts'
import { addPersonalThings } from './zulip-personal.ts'
import { addZulipAvatars, addZulipEmoji, addZulipRealmPictures } from './zulip-pictures.ts'
import { ZulipPlaces } from './zulip-places.ts'
import { addZulipProfiles } from './zulip-profiles.ts'
import { addRealmSettings, addUserDefaults } from './zulip-realm-settings.ts'
import { addZulipRules } from './zulip-rules.ts'
import { addScheduledMessages } from './zulip-scheduled.ts'
import { ZulipSubscriptions } from './zulip-subscriptions.ts'
import { ZulipUploads } from './zulip-uploads.ts'

type ZulipImport = ImportTarget & {
  /** The address that it has at Zulip: links there become links here. */
  from?: URL | undefined
  /** Receives a line if the import has to wait, and now and then how far it is. */
  report?: (line: string) => void
}

/** The counts of an import: the rows that it has made, and what it has left out. */
export type ImportedZulip = {
  accounts: number
  channels: number
  messages: number
  files: number
  avatars: number
  leftOut: LeftOut['counts']
  /** The email address of the first active owner; of an administrator if there is none. */
  owner: string
}

/** Makes an organization of an export of Zulip in the main database: all of it, or nothing. */
export async function importZulip(
  databaseUrl: string,
  source: ZulipExport,
  { name, subdomain, actor, files, report = () => {}, ...into }: ZulipImport,
): Promise<ImportedZulip> {
  const realm = { name, subdomain, created_at: into.site.clock() }
  const highest = highestNumbers(source)
  try {
    return await createFromElsewhere(databaseUrl, { realm, actor, files, highest, report }, (change) =>
      fill(change, { source, store: files, report, ...into }),
    )
  } catch (error) {
    // PostgreSQL refuses a value, or a row.
    if (!/^2[23]...$/.test(codeOf(error) ?? '')) throw error
    throw new Error(`The export is damaged: ${messageOf(error)}.`, { cause: error })
  }
}

type Content = Pick<ZulipImport, 'url' | 'from' | 'site'> & {
  source: ZulipExport
  store: FileStore
  report: (line: string) => void
}

async function fill(
  change: Change,
  { source, store, url, from, site, report }: Content,
): Promise<ImportedZulip> {
  await addUserDefaults(change, source)
  const people = new ZulipPeople(change, source)
  const owner = await people.addAll()
  const context = { change, source, people, store, url, site, report, owner }
  await addZulipBots(context)
  const groups = new ZulipGroups(change, source, people)
  await groups.addAll()
  await addZulipChannels({ ...context, groups })
  await addRealmSettings(change, source, groups)
  await addZulipRules(context)
  await addZulipProfiles(context)
  const avatars = await addZulipAvatars(context)
  await addZulipEmoji(context)
  await addZulipRealmPictures(context)
  const places = new ZulipPlaces(change, source, people)
  const subscriptions = new ZulipSubscriptions({ ...context, places })
  await subscriptions.addActive()
  const uploads = new ZulipUploads(change, source, people, { url, from })
  await uploads.addAll(store)
  const messages = new ZulipMessages({ ...context, places, subscriptions, uploads })
  await messages.addAll()
  await subscriptions.finish()
  await uploads.finish()
  await addPersonalThings(context)
  await addScheduledMessages({ ...context, places, uploads })
  await scheduleDigests(change, change.state, change.now)
  // Imported messages cause no notifications.
  await change.insert('missed_position', { message_id: change.lastMessageId })
  // No client has heard of the organization yet, so nobody is told.
  change.events.length = 0
  return {
    accounts: people.users.size,
    channels: change.state.channels.size,
    messages: messages.written,
    files: uploads.count,
    avatars,
    leftOut: source.leftOut.counts,
    owner: owner.delivery_email,
  }
}

/** The numbers that the organization's rows keep. */
function highestNumbers(source: ZulipExport) {
  const highest = (rows: Iterable<{ id: number | null }>) => {
    let most = 0
    for (const { id } of rows) most = Math.max(most, id ?? 0)
    return { id: most }
  }
  const groups = [...source.rows('zerver_namedusergroup'), ...source.rows('zerver_usergroup')]
  return {
    account: highest([
      ...source.rows('zerver_userprofile'),
      ...source.rows('zerver_userprofile_mirrordummy'),
    ]),
    user_group: highest(groups.map(({ id, usergroup_ptr }) => ({ id: usergroup_ptr ?? id }))),
    channel_folder: highest(source.rows('zerver_channelfolder')),
    channel: highest(source.rows('zerver_stream')),
    linkifier: highest(source.rows('zerver_realmfilter')),
    playground: highest(source.rows('zerver_realmplayground')),
    profile_field: highest(source.rows('zerver_customprofilefield')),
    custom_emoji: highest(source.rows('zerver_realmemoji')),
  }
}
