import type { AccountRow } from '../../../db/schema.ts'
import { isAdministrator } from '../../../http/access.ts'
import { badRequest, notPermitted } from '../../../lib/api-error.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { hasContentAccess, invalidChannelId } from '../../kernel/channels/access.ts'
import { checkMayMakeWebPublic } from '../../kernel/channels/web-public.ts'
import { hasRealmPermission } from '../../kernel/groups/access.ts'
import { realmSettings } from '../../kernel/settings/settings.ts'
import { noticeTexts } from '../kernel/channels/channel-notices.ts'
import { defaultChannelsChanged } from '../kernel/channels/default_streams.event.ts'
import { defaultChannelIds } from '../kernel/channels/default-channels.ts'
import type { ChannelEdit } from './channel-edit.ts'
import type { UpdateChannelParams } from './update-channel-params.ts'

type PrivacyParams = Pick<
  UpdateChannelParams,
  'is_private' | 'is_web_public' | 'history_public_to_subscribers' | 'is_default_stream'
>

/** Throws unless the channel can have the requested privacy and the user may set it. */
export function checkPrivacy({ realm, site, me, channel }: ChannelEdit, params: PrivacyParams) {
  const isPrivate = params.is_private ?? channel.is_private
  const isDefault = params.is_default_stream ?? channel.is_default
  if (isDefault && isPrivate) throw badRequest('A default channel cannot be private.')
  const isWebPublic = params.is_web_public ?? channel.is_web_public
  if (isPrivate && isWebPublic) throw badRequest('Invalid parameters')
  if (!isPrivate && params.history_public_to_subscribers === false) throw badRequest('Invalid parameters')
  if (!asksForPrivacy(params)) return
  if (!hasContentAccess(realm, me, channel)) throw badRequest('Channel content access is required.')
  if (params.is_private !== undefined && params.is_private !== channel.is_private)
    checkKind(realm, me, isPrivate)
  if (params.is_web_public) checkMayMakeWebPublic(realm, site, me)
  if (!isPrivate && realmSettings(realm).moderation_request_channel_id === channel.id) {
    throw badRequest('Moderation request channel must be private.')
  }
}

// A user who may not create channels of this kind may not convert channels to it, either.
function checkKind(realm: RealmState, me: AccountRow, isPrivate: boolean) {
  const kind = isPrivate ? 'can_create_private_channel_group' : 'can_create_public_channel_group'
  if (!hasRealmPermission(realm, me, kind)) throw notPermitted()
}

function asksForPrivacy(params: PrivacyParams) {
  const { is_private, is_web_public, history_public_to_subscribers } = params
  return [is_private, is_web_public, history_public_to_subscribers].some((value) => value !== undefined)
}

/**
 * Changes a channel's privacy. A channel that becomes private protects its earlier history unless the request says
 * otherwise: users may then read only the earlier messages that they received. The event is emitted even if nothing
 * changes, as clients of this API expect.
 */
export function editPrivacy(edit: ChannelEdit, params: PrivacyParams) {
  if (!asksForPrivacy(params)) return
  const before = edit.channel
  const isPrivate = params.is_private ?? before.is_private
  const keptHistory = before.is_private && before.history_public_to_subscribers
  const kind = {
    is_private: isPrivate,
    is_web_public: params.is_web_public ?? before.is_web_public,
    history_public_to_subscribers: !isPrivate || (params.history_public_to_subscribers ?? keptHistory),
  }
  edit.setVisibility(kind, 'invite_only', isPrivate, {
    history_public_to_subscribers: kind.history_public_to_subscribers,
    is_web_public: kind.is_web_public,
  })
  edit.notify(noticeTexts.privacy(edit.me, before, edit.channel))
}

/** Adds the channel to the default channels for new users, or removes it. */
export function editDefault(edit: ChannelEdit, params: UpdateChannelParams) {
  const isDefault = params.is_default_stream
  if (isDefault === undefined) return
  const { realm, me, channel } = edit
  if (!isAdministrator(me)) throw badRequest('You do not have permission to change default channels.')
  if (isDefault && channel.is_archived && params.is_archived !== false) throw invalidChannelId()
  if (isDefault && channel.is_default) return
  edit.set({ is_default: isDefault })
  const others = defaultChannelIds(realm).filter((id) => id !== channel.id)
  const ids = isDefault ? [...others, channel.id].sort((a, b) => a - b) : others
  edit.emit(defaultChannelsChanged(ids), { nonGuests: true })
}
