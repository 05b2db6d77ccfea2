import { badRequest } from '../../../lib/api-error.ts'
import { namesIn } from '../../../lib/collections/records.ts'
import { hasContentAccess } from '../../kernel/channels/access.ts'
import { systemGroupId } from '../../kernel/groups/access.ts'
import { type ChannelPermission, channelPermissions } from '../../kernel/groups/permission-settings.ts'
import { groupSettingValue, isGroupSettingChange } from '../../kernel/groups/setting-value.ts'
import { groupSettingView } from '../../kernel/groups/setting-view.ts'
import { noticeTexts } from '../kernel/channels/channel-notices.ts'
import { legacyPostPolicy } from '../kernel/channels/channel-view.ts'
import type { ChannelEdit } from './channel-edit.ts'
import type { UpdateChannelParams } from './update-channel-params.ts'

/** Edits each permission that differs from the requested value. */
export function editPermissions(edit: ChannelEdit, params: UpdateChannelParams) {
  for (const name of namesIn(channelPermissions)) editPermission(edit, name, params)
}

/** Holders of these permissions may read a channel, so only users who may read it can grant them. */
const opening: ChannelPermission[] = ['can_add_subscribers_group', 'can_subscribe_group']

/**
 * The only permissions of a private channel that a user without read access may change: they govern who may unsubscribe
 * other users.
 */
const closing: ChannelPermission[] = ['can_remove_subscribers_group']

function editPermission(edit: ChannelEdit, name: ChannelPermission, params: UpdateChannelParams) {
  const { realm, me, channel } = edit
  const update = params[name]
  if (!update) return
  const current = channel.permissions[name] ?? systemGroupId(realm, 'role:nobody')
  if (!isGroupSettingChange(realm, current, update)) return
  const takesAccess = opening.includes(name) || (edit.before.is_private && !closing.includes(name))
  if (takesAccess && !hasContentAccess(realm, me, channel)) {
    throw badRequest('Channel content access is required.')
  }
  const value = groupSettingValue(realm, name, channelPermissions[name], update.new)
  const permissions = { ...channel.permissions, [name]: value }
  edit.setVisibility({ permissions }, name, groupSettingView(realm, value))
  if (name !== 'can_send_message_group') return
  emitLegacyPostPolicy(edit, legacyPostPolicy(realm, current), legacyPostPolicy(realm, value))
  edit.notify(noticeTexts.posting(realm, me, current, value))
}

// The post policy that old clients know (until level 333).
function emitLegacyPostPolicy(edit: ChannelEdit, before: number, after: number) {
  if (before === after) return
  edit.emitProperty('stream_post_policy', after)
  edit.emitProperty('is_announcement_only', after === 2)
}
