import type { AccountRow } from '../../../../db/schema.ts'
import type { GroupSetting } from '../../../../db/values.ts'
import { isAdministrator } from '../../../../http/access.ts'
import { badRequest, notPermitted } from '../../../../lib/api-error.ts'
import { namesIn, recordOf } from '../../../../lib/collections/records.ts'
import type { Site } from '../../../../lib/site.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { checkMaySetDeletePolicy } from '../../../kernel/channels/access.ts'
import { checkMayMakeWebPublic } from '../../../kernel/channels/web-public.ts'
import { hasRealmPermission, systemGroupId } from '../../../kernel/groups/access.ts'
import { type ChannelPermission, channelPermissions } from '../../../kernel/groups/permission-settings.ts'
import { groupSettingParam, groupSettingValue } from '../../../kernel/groups/setting-value.ts'
import { folderToFill } from '../channel-folders/access.ts'
import type { NewChannel } from './create-channels.ts'
import { retentionDays } from './retention.ts'
import { checkMaySetTopicsPolicy, type TopicsPolicy } from './topics-policy.ts'

/** A parameter for each permission of a channel, all optional. */
export const channelPermissionParams = recordOf(namesIn(channelPermissions), (name) =>
  groupSettingParam(channelPermissions[name]).optional(),
)

type NewChannelParams = Partial<Record<ChannelPermission, GroupSetting | undefined>> & {
  invite_only?: boolean | undefined
  is_web_public?: boolean | undefined
  is_default_stream?: boolean | undefined
  history_public_to_subscribers?: boolean | undefined
  message_retention_days?: string | number | undefined
  folder_id?: number | undefined
  topics_policy?: TopicsPolicy | undefined
}

type ChannelSettings = Omit<NewChannel, 'name' | 'description' | 'rendered_description'>

/** Returns the settings that a user requests for new channels; throws if they may not create such channels. */
export function newChannelSettings(
  realm: RealmState,
  site: Site,
  me: AccountRow,
  params: NewChannelParams,
): ChannelSettings {
  const permissions = permissionsOf(realm, me, params)
  const folder = params.folder_id === undefined ? null : folderToFill(realm, params.folder_id)
  const isPrivate = params.invite_only ?? false
  const isWebPublic = params.is_web_public ?? false
  if (isWebPublic) checkMayMakeWebPublic(realm, site, me)
  if (isWebPublic && isPrivate) throw badRequest('Invalid parameters')
  const topicsPolicy = params.topics_policy ?? 'inherit'
  const kind = isPrivate ? 'can_create_private_channel_group' : 'can_create_public_channel_group'
  if (!hasRealmPermission(realm, me, kind)) throw notPermitted()
  if (params.is_default_stream) checkDefault(me, isPrivate)
  checkMaySetTopicsPolicy(realm, me, topicsPolicy)
  return {
    is_private: isPrivate,
    is_web_public: isWebPublic,
    // Users who may read a public channel may read all of its history.
    history_public_to_subscribers: !isPrivate || (params.history_public_to_subscribers ?? false),
    is_default: params.is_default_stream ?? false,
    message_retention_days: retentionDays(realm, me, params.message_retention_days),
    topics_policy: topicsPolicy,
    folder_id: folder?.id ?? null,
    permissions,
  }
}

function permissionsOf(realm: RealmState, me: AccountRow, params: NewChannelParams) {
  const permissions: Partial<Record<ChannelPermission, GroupSetting>> = {}
  for (const name of namesIn(channelPermissions)) {
    const sent = params[name]
    if (sent === undefined) continue
    const value = groupSettingValue(realm, name, channelPermissions[name], sent)
    if (isAboutDeleting(name) && value !== systemGroupId(realm, 'role:nobody'))
      checkMaySetDeletePolicy(realm, me)
    permissions[name] = value
  }
  return permissions
}

function isAboutDeleting(name: ChannelPermission) {
  return name === 'can_delete_any_message_group' || name === 'can_delete_own_message_group'
}

function checkDefault(me: AccountRow, isPrivate: boolean) {
  if (!isAdministrator(me)) throw notPermitted()
  if (isPrivate) throw badRequest('A default channel cannot be private.')
}
