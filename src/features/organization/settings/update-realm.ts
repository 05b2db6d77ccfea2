import { z } from 'zod'
import type { Adapters } from '../../../adapters/adapters.ts'
import type { GroupSetting } from '../../../db/values.ts'
import { requireAdministrator, requireOwner } from '../../../http/access.ts'
import { dictionary } from '../../../http/collections.ts'
import { command } from '../../../http/endpoint.ts'
import { json, text } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { namesIn, recordOf } from '../../../lib/collections/records.ts'
import type { Change } from '../../../log/change.ts'
import { groupSettingView } from '../../kernel/groups/setting-view.ts'
import { loginMethods } from '../../kernel/login/methods.ts'
import { realmPermissionChanged, realmSettingChanged } from '../kernel/settings/realm.event.ts'
import { realmLimits } from './limits.ts'
import { isPermission, planSettingsUpdate } from './plan-update.ts'
import { realmPermissionParams, realmSettingParams } from './realm-params.ts'
import { changedMethods, checkMethods, emitMethods } from './update-methods.ts'

const changeable = {
  name: text({ max: realmLimits.realmNameLength }).optional(),
  ...realmSettingParams,
  ...realmPermissionParams,
  authentication_methods: json(dictionary(z.boolean()))
    .documentedAs({ propertyNames: { enum: loginMethods } })
    .optional(),
}

export const updateRealm = command('PATCH /realm', {
  summary: "Update the organization's settings and permissions",
  access: requireAdministrator,
  params: { ...changeable, string_id: text().optional() },
  // Each changed setting with its new value; for texts, only that they were updated.
  returns: recordOf(namesIn(changeable), () => z.unknown().optional()),
  async handle({ realm, me, adapters, params, commit }) {
    const { name, authentication_methods, string_id, ...sent } = params
    if (authentication_methods) {
      requireOwner(realm, me)
      checkMethods(realm, adapters, authentication_methods)
    }
    checkVideoCalls(adapters, sent.video_chat_provider)
    if (string_id !== undefined) throw badRequest('Must be a demo organization.')
    planSettingsUpdate(realm, me, sent) // checks what it can before the change begins
    // Whether there is anything to change, only the change itself knows: another node may have changed it just now.
    return commit(async (change) => {
      const { state } = change
      if (authentication_methods) checkMethods(state, adapters, authentication_methods)
      const plan = planSettingsUpdate(state, state.users.require(me.id), sent)
      const methods = changedMethods(state, adapters, authentication_methods)
      const isRenamed = name !== undefined && name !== state.row.name
      if (Object.keys(plan).length === 0 && !methods && !isRenamed) return {}
      await change.update('realm', {
        id: state.id,
        name: name ?? state.row.name,
        settings: { ...state.row.settings, ...plan, ...methods },
      })
      if (isRenamed) change.emit(realmSettingChanged('name', name), { everyone: true })
      const told = { ...(methods && emitMethods(change, adapters)), ...emitPlan(change, adapters, plan) }
      return { ...(isRenamed && { name: 'updated' }), ...told }
    })
  },
})

/** Some providers are available only on servers that are configured for them. */
function checkVideoCalls({ zoom, bigBlueButton }: Adapters, provider: number | undefined) {
  const isMissing = (provider === 3 && !zoom) || (provider === 4 && !bigBlueButton)
  if (isMissing) throw badRequest(`Invalid video_chat_provider ${provider}`)
}

function emitPlan(change: Change, adapters: Adapters, plan: Record<string, unknown>) {
  const { state } = change
  const answer: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(plan)) {
    if (isPermission(name)) {
      answer[name] = groupSettingView(state, value as GroupSetting)
      change.emit(realmPermissionChanged(name, answer[name] as GroupSetting), { everyone: true })
      continue
    }
    answer[name] = valueInAnswer(name, value)
    // Clients know digests as on where the server sends them.
    const isIdle = name === 'digest_emails_enabled' && !adapters.mail
    change.emit(realmSettingChanged(name, isIdle ? false : value), { everyone: true })
  }
  return answer
}

const historyPolicies = ['all', 'moves', 'none']

/** Returns the value that the response has for a changed setting, in the form that clients know. */
function valueInAnswer(name: string, value: unknown) {
  if (name === 'message_edit_history_visibility_policy') return historyPolicies.indexOf(value as string) + 1
  if (name === 'topics_policy') return value
  return typeof value === 'string' ? 'updated' : value
}
