import { sql } from 'kysely'
import { roles } from '../../../../db/roles.ts'
import type { AccountRow, ChannelRow } from '../../../../db/schema.ts'
import type { GroupSetting } from '../../../../db/values.ts'
import { must } from '../../../../lib/must.ts'
import type { Change } from '../../../../log/change.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { systemGroupId } from '../../../kernel/groups/access.ts'
import { type ChannelPermission, channelPermissions } from '../../../kernel/groups/permission-settings.ts'
import { channelAudience } from './audience.ts'
import { channelView } from './channel-view.ts'
import { defaultChannelsChanged } from './default_streams.event.ts'
import { defaultChannelIds } from './default-channels.ts'
import { channelCreated } from './stream.event.ts'

/** The choices for a new channel. */
export type NewChannel = Omit<
  ChannelRow,
  | 'realm_id'
  | 'id'
  | 'recipient_id'
  | 'creator_id'
  | 'created_at'
  | 'is_archived'
  | 'is_recently_active'
  | 'weekly_traffic'
  | 'permissions'
> & {
  /** Missing permissions get their defaults. */
  permissions: Partial<Record<ChannelPermission, GroupSetting>>
}

/**
 * Creates channels, whose names must be free, and notifies all users who may see them. `subscribers` are the users whom
 * the same change will subscribe.
 */
export async function createChannels(
  change: Change,
  creator: AccountRow | null,
  channels: NewChannel[],
  subscribers: AccountRow[],
): Promise<ChannelRow[]> {
  if (channels.length === 0) return []
  const rows = await insertChannels(change, creator, channels)
  for (const row of rows) {
    const also = row.is_private ? subscribers : subscribers.filter((user) => user.role === roles.guest)
    const audience = channelAudience(
      change.state,
      row,
      also.map((user) => user.id),
    )
    change.emit(channelCreated(channelView(change.state, row)), audience)
  }
  const defaults = rows.filter((row) => row.is_default).map((row) => row.id)
  if (defaults.length > 0) {
    change.emit(defaultChannelsChanged([...defaultChannelIds(change.state), ...defaults]), {
      nonGuests: true,
    })
  }
  return rows
}

async function insertChannels(change: Change, creator: AccountRow | null, channels: NewChannel[]) {
  // A channel and its recipient refer to each other, so the ids are allocated first. The lock is that of an insert: an import or a
  // move that raises the sequence would otherwise set it back to before an id that it has not seen.
  await change.run(sql`LOCK TABLE channel IN ROW EXCLUSIVE MODE`)
  const ids = await change.run<{ id: number }>(
    sql`SELECT nextval(pg_get_serial_sequence('channel', 'id')) AS id FROM generate_series(1, ${channels.length})`,
  )
  const recipients = await change.insertAll(
    'recipient',
    ids.map(({ id }) => ({ channel_id: id })),
  )
  const recipientOf = new Map(recipients.map((row) => [row.channel_id, row.id]))
  return change.insertAll(
    'channel',
    channels.map((channel, i) => ({
      ...channel,
      id: must(ids[i], 'id').id,
      recipient_id: must(recipientOf.get(ids[i]?.id ?? null), 'recipient'),
      creator_id: creator?.id ?? null,
      permissions: { ...defaultChannelPermissions(change.state, creator), ...channel.permissions },
      created_at: change.now,
    })),
  )
}

/** Returns the permissions of a new channel, unless its creator chooses others. */
export function defaultChannelPermissions(
  realm: RealmState,
  creator: AccountRow | null,
): Record<string, GroupSetting> {
  const entries = Object.entries(channelPermissions).map(([name, setting]): [string, GroupSetting] => {
    if (setting.default !== 'channel_creator') return [name, systemGroupId(realm, setting.default)]
    if (!creator) return [name, systemGroupId(realm, 'role:nobody')]
    return [name, { direct_members: [creator.id], direct_subgroups: [] }]
  })
  return Object.fromEntries(entries)
}
