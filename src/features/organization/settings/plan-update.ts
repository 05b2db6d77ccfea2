import type { AccountRow } from '../../../db/schema.ts'
import { requireOwner } from '../../../http/access.ts'
import type { Values } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { namesIn } from '../../../lib/collections/records.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { channelToSee } from '../../kernel/channels/access.ts'
import { realmPermissionValue } from '../../kernel/groups/access.ts'
import { type RealmPermission, realmPermissions } from '../../kernel/groups/permission-settings.ts'
import { changedGroupSetting, type GroupSettingUpdate } from '../../kernel/groups/setting-value.ts'
import { channelSettings, realmSettings } from '../../kernel/settings/settings.ts'
import { isLanguage } from '../kernel/users/setting-choices.ts'
import { realmPermissionParams, realmSettingParams } from './realm-params.ts'

type Sent = Partial<Values<typeof realmSettingParams> & Values<typeof realmPermissionParams>>

const ownersOnly = [
  'message_retention_days',
  'invite_required',
  'emails_restricted_to_domains',
  'disallow_disposable_email_addresses',
  'waiting_period_threshold',
  'can_create_groups',
  'can_manage_all_groups',
  'can_invite_users_group',
  'create_multiuse_invite_group',
  'can_manage_billing_group',
] as const

/**
 * Returns those of the sent settings and permissions that differ from the current ones, as they are stored. Throws if
 * one is invalid.
 */
export function planSettingsUpdate(realm: RealmState, me: AccountRow, sent: Sent): Record<string, unknown> {
  if (ownersOnly.some((name) => sent[name] !== undefined)) requireOwner(realm, me)
  if (sent.default_language !== undefined && !isLanguage(sent.default_language)) {
    throw badRequest(`Invalid language '${sent.default_language}'`)
  }
  const current: Record<string, unknown> = realmSettings(realm)
  const plan: Record<string, unknown> = {}
  for (const name of namesIn(realmSettingParams)) {
    if (sent[name] !== undefined && sent[name] !== current[name]) plan[name] = sent[name]
  }
  for (const name of channelSettings) if (name in plan) checkChannel(realm, me, name, plan[name] as number)
  for (const name of namesIn(realmPermissionParams)) {
    const update = sent[name]
    const value = update && changedPermission(realm, name, update)
    if (value !== undefined) plan[name] = value
  }
  return plan
}

export function isPermission(name: string): name is RealmPermission {
  return name in realmPermissions
}

function changedPermission(realm: RealmState, name: RealmPermission, update: GroupSettingUpdate) {
  const current = realmPermissionValue(realm, name)
  return changedGroupSetting(realm, name, realmPermissions[name], current, update)
}

function checkChannel(realm: RealmState, me: AccountRow, name: string, id: number) {
  if (id === -1) return
  const channel = channelToSee(realm, me, id)
  if (name === 'moderation_request_channel_id' && !channel.is_private) {
    throw badRequest('Moderation request channel must be private.')
  }
}
