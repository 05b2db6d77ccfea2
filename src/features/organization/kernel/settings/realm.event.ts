import type { GroupSetting } from '../../../../db/values.ts'
import type { EventType } from '../../../../queues/event-type.ts'
import { applyRealm } from './realm.apply.ts'

type Update = { type: 'realm'; op: 'update'; property: string; value: unknown }

type UpdateDict = { type: 'realm'; op: 'update_dict'; property: string; data: Record<string, unknown> }

type Deactivated = { type: 'realm'; op: 'deactivated'; realm_id: number }

type RealmEvent = Update | UpdateDict | Deactivated

/** Settings that are sent in the `update_dict` form. topics_policy is another, sent with the older field it replaces. */
const inDictionaries = ['allow_message_editing', 'message_content_edit_limit_seconds']

/** Reports a changed setting of the organization. */
export function realmSettingChanged(name: string, value: unknown): Update | UpdateDict {
  if (name === 'topics_policy') {
    return dictionary({ topics_policy: value, mandatory_topics: value === 'disable_empty_topic' })
  }
  if (inDictionaries.includes(name)) return dictionary({ [name]: value })
  return { type: 'realm', op: 'update', property: name, value }
}

/** Reports a changed permission of the organization. */
export function realmPermissionChanged(name: string, value: GroupSetting): UpdateDict {
  return dictionary({ [name]: value })
}

/** Reports that these settings name no channel any more. */
export function channelSettingsUnset(names: readonly string[]): UpdateDict {
  return dictionary(Object.fromEntries(names.map((name) => [name, -1])))
}

/** Reports a changed picture of the organization: its address and its source. */
export function realmPictureChanged(picture: string, data: Record<string, string>): UpdateDict {
  return { type: 'realm', op: 'update_dict', property: picture, data }
}

/** Reports a change of the allowed login methods. */
export function realmMethodsChanged(methods: Record<string, object>): UpdateDict {
  return dictionary({ authentication_methods: methods })
}

export function realmDeactivated(realmId: number): Deactivated {
  return { type: 'realm', op: 'deactivated', realm_id: realmId }
}

declare module '../../../../log/entry.ts' {
  interface Events {
    realm: RealmEvent
  }
}

/** The organization's profile and settings. Every user receives it. */
export const realmEvent = {
  type: 'realm',

  apply: applyRealm,
} satisfies EventType<RealmEvent>

function dictionary(data: Record<string, unknown>): UpdateDict {
  return { type: 'realm', op: 'update_dict', property: 'default', data }
}
