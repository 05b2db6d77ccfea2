import type { ChannelRow } from '../../db/schema.ts'
import type { GroupSetting } from '../../db/values.ts'
import { folderLimits } from '../../features/channels/channel-folders/limits.ts'
import { defaultChannelPermissions } from '../../features/channels/kernel/channels/create-channels.ts'
import { channelLimits } from '../../features/kernel/channels/limits.ts'
import { channelDescription } from '../../features/kernel/channels/names.ts'
import { systemGroupId } from '../../features/kernel/groups/access.ts'
import { channelPermissions, type SystemGroup } from '../../features/kernel/groups/permission-settings.ts'
import { namesIn } from '../../lib/collections/records.ts'
import { must } from '../../lib/must.ts'
import { firstCharacters } from '../../lib/text/characters.ts'
import { lower } from '../../lib/text/lower.ts'
import type { Change } from '../../log/change.ts'
import { emptyLookup } from '../../markdown/lookup.ts'
import { renderDescription } from '../../markdown/render.ts'
import { freeChannelName, freeName } from '../names.ts'
import type { ImportContext } from './import-context.ts'
import type { ZulipRow } from './zulip-tables.ts'

type Stream = ZulipRow<'zerver_stream'>
type Context = Pick<ImportContext, 'change' | 'source' | 'people' | 'groups'>

/** Makes the folders and channels of an export, with their ids. Their subscribers come afterwards. */
export async function addZulipChannels(context: Context): Promise<void> {
  const { change, source } = context
  await addFolders(context)
  const streams = [...source.byId('zerver_stream').values()]
  const recipients = await change.insertAll(
    'recipient',
    streams.map(({ id }) => ({ channel_id: id })),
  )
  const recipientOf = new Map(recipients.map((row) => [row.channel_id, row.id]))
  const defaults = new Set(source.rows('zerver_defaultstream').map(({ stream }) => stream))
  // One after the other, as each name has to be free. Those in use have theirs before archived ones.
  for (const stream of streams.sort((a, b) => Number(a.deactivated) - Number(b.deactivated))) {
    const recipient_id = must(recipientOf.get(stream.id), 'recipient')
    await change.insert('channel', { ...channelOf(context, stream, defaults), recipient_id })
  }
}

function channelOf(
  { change, source, people, groups }: Context,
  stream: Stream,
  defaults: ReadonlySet<number>,
) {
  const { id, invite_only: is_private, deactivated, message_retention_days: days } = stream
  const description = firstCharacters(
    channelDescription(stream.description),
    channelLimits.channelDescriptionLength,
  )
  const creator = people.get(stream.creator) ?? null
  const permissions: Record<string, GroupSetting> = {
    ...defaultChannelPermissions(change.state, creator),
    ...postPolicy(change, stream),
  }
  for (const name of namesIn(channelPermissions)) {
    const value = groups.valueIn(stream, name, channelPermissions[name])
    if (value !== undefined) permissions[name] = value
  }
  const isInFolder = stream.folder !== null && source.byId('zerver_channelfolder').has(stream.folder)
  return {
    id,
    name: freeChannelName(change, deactivated ? stream.name.replace(archivedPrefix, '') : stream.name),
    description,
    rendered_description: renderDescription(description, emptyLookup),
    creator_id: creator?.id ?? null,
    is_private,
    is_web_public: stream.is_web_public && !is_private,
    // Without the column, as it was before there was a choice.
    history_public_to_subscribers: !is_private || (stream.history_public_to_subscribers ?? false),
    is_default: defaults.has(id) && !is_private && !deactivated,
    is_archived: deactivated,
    message_retention_days: days !== null && (days === -1 || (days > 0 && days <= longestDays)) ? days : null,
    topics_policy: topicsPolicyOf(stream.topics_policy),
    folder_id: isInFolder ? stream.folder : null,
    permissions,
    created_at: stream.date_created ?? change.now,
  } satisfies Partial<ChannelRow>
}

const longestDays = 1_000_000

/** Versions before 10 put this before the name of an archived channel: earlier ones "!", and later ones a hash. */
const archivedPrefix = /^(!+|[0-9a-f]{7}!)DEACTIVATED:/

const topicsPolicies = ['inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only']

/** The policies are numbered from 1. */
function topicsPolicyOf(policy: Stream['topics_policy']): string {
  const name = typeof policy === 'number' ? topicsPolicies[policy - 1] : policy
  return topicsPolicies.find((known) => known === name) ?? 'inherit'
}

/** The group that may write in a channel, by the number that older versions have in place of a group. */
const posters: Record<number, SystemGroup> = {
  1: 'role:everyone',
  2: 'role:administrators',
  3: 'role:fullmembers',
  4: 'role:moderators',
}

function postPolicy(
  change: Change,
  { stream_post_policy: policy, is_announcement_only }: Stream,
): Record<string, GroupSetting> {
  const group = posters[policy ?? (is_announcement_only ? 2 : 0)]
  return group ? { can_send_message_group: systemGroupId(change.state, group) } : {}
}

async function addFolders({ change, source, people }: Context) {
  const taken = new Set<string>()
  const rows = [...source.byId('zerver_channelfolder').values()].map((folder) => {
    const { channelFolderNameLength: most, channelFolderDescriptionLength } = folderLimits
    const description = firstCharacters(
      folder.description.replaceAll('\0', ''),
      channelFolderDescriptionLength,
    )
    const name = freeName(folder.name, { fallback: 'folder', most, isTaken: (key) => taken.has(key) })
    taken.add(lower(name))
    return {
      id: folder.id,
      name,
      description,
      rendered_description: renderDescription(description, emptyLookup),
      creator_id: people.get(folder.creator)?.id ?? null,
      is_archived: folder.is_archived,
      created_at: folder.date_created ?? change.now,
      place: folder.order,
    }
  })
  await change.insertAll('channel_folder', rows)
}
