import { z } from 'zod'
import { roles } from '../../../db/roles.ts'
import type { AccountRow, ChannelRow } from '../../../db/schema.ts'
import { boolean, integer, integers, json, type Values } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { maySubscribeOthers } from '../../channels/subscriptions/access.ts'
import { hasMetadataAccess } from '../../kernel/channels/access.ts'
import { channelLimits } from '../../kernel/channels/limits.ts'
import { realmLimits } from '../../organization/settings/limits.ts'
import { groupToJoin } from '../../people/groups/group-access.ts'
import { invitationLimits } from '../kernel/invitations/limits.ts'

/** The validity and content of an invitation, in the order in which the parameters are checked. */
export const termsParams = {
  invite_expires_in_minutes: json(z.int().nullable()).default(invitationLimits.invitationMinutes),
  invite_as: integer({ oneOf: Object.values(roles) }).default(roles.member),
  stream_ids: integers(channelLimits.channelsPerRequest),
  group_ids: integers().default([]),
  include_realm_default_subscriptions: boolean().default(false),
}

/**
 * Returns the columns of an invitation that describe its content. Throws unless the caller could assign all of it
 * directly. Default channels of new users are an exception: every inviter may include them.
 */
export function termsOf(realm: RealmState, me: AccountRow, params: Values<typeof termsParams>) {
  const channels = [...new Set(params.stream_ids)].map((id) => channelToOffer(realm, me, id))
  if (channels.some((channel) => !channel.is_default && !maySubscribeOthers(realm, me, channel))) {
    throw badRequest('You do not have permission to subscribe other users to channels.')
  }
  const groups = [...new Set(params.group_ids)].map((id) => groupToOffer(realm, me, id))
  return {
    role: params.invite_as,
    channel_ids: channels.map((channel) => channel.id),
    group_ids: groups.map((group) => group.id),
    adds_default_channels: params.include_realm_default_subscriptions,
  }
}

/** Returns when a new invitation expires, in UNIX seconds, or null for never. */
export function expiryOf(minutes: number | null, now: number): number | null {
  return minutes === null ? null : now + Math.min(minutes, realmLimits.longestTimeLimit) * 60
}

function channelToOffer(realm: RealmState, me: AccountRow, id: number): ChannelRow {
  const channel = realm.channels.get(id)
  if (channel && !channel.is_archived && hasMetadataAccess(realm, me, channel)) return channel
  throw badRequest(`Invalid channel ID ${id}. No invites were sent.`)
}

function groupToOffer(realm: RealmState, me: AccountRow, id: number) {
  const group = groupToJoin(realm, me, id, [])
  if (group.is_deactivated) throw badRequest('User group is deactivated.')
  return group
}
