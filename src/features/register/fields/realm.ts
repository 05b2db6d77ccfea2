import { realmHost, realmUrl } from '../../../lib/site.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { realmPermissionValue } from '../../groups/access.ts'
import {
  type RealmPermission,
  realmPermissions,
  type SystemGroup,
  supportedPermissionSettings,
} from '../../groups/permission-settings.ts'
import { emptyTopicDisplayName, realmSettings } from '../../realm/settings.ts'
import { realmIconUrl } from '../../server-settings/realm-icon.ts'
import type { Registration, Section } from '../section.ts'
import { clientLimits, serverFields } from './server.ts'

export const realmSections: Section[] = [
  {
    asked: ['realm'],
    fields: (registration) => ({
      ...settings(registration.realm),
      ...permissions(registration.realm),
      ...legacyPolicies(registration.realm),
      ...place(registration),
      ...hosting,
      ...serverFields(registration.site, realmUrl(registration.site, registration.realm.realm)),
      ...clientLimits,
      server_supported_permission_settings: supportedPermissionSettings(),
    }),
  },
]

/** Every setting of the organization, by its name in PATCH /realm. */
function settings(realm: RealmState) {
  const values = realmSettings(realm)
  return {
    ...Object.fromEntries(Object.entries(values).map(([name, value]) => [`realm_${name}`, value])),
    realm_name: realm.realm.name,
    realm_date_created: realm.realm.created_at,
    realm_mandatory_topics: values.topics_policy === 'disable_empty_topic', // until level 392
    realm_allow_edit_history: values.message_edit_history_visibility_policy !== 'none', // until level 358
    realm_empty_topic_display_name: emptyTopicDisplayName,
    jitsi_server_url: values.jitsi_server_url ?? jitsiServerUrl, // until level 212
    server_jitsi_server_url: jitsiServerUrl,
  }
}

const jitsiServerUrl = 'https://meet.jit.si'

function permissions(realm: RealmState) {
  const names = Object.keys(realmPermissions) as RealmPermission[]
  return Object.fromEntries(names.map((name) => [`realm_${name}`, realmPermissionValue(realm, name)]))
}

/** What the number meant, of which each permission has a selection. */
const legacyNumbers: Partial<Record<SystemGroup, number>> = {
  'role:members': 1,
  'role:administrators': 2,
  'role:fullmembers': 3,
  'role:moderators': 4,
}

const legacyWebPublicNumbers: Partial<Record<SystemGroup, number>> = {
  'role:administrators': 2,
  'role:moderators': 4,
  'role:nobody': 6,
  'role:owners': 7,
}

const legacyMentionNumbers: Partial<Record<SystemGroup, number>> = {
  'role:everyone': 1,
  'role:members': 2,
  'role:fullmembers': 3,
  'role:administrators': 5,
  'role:nobody': 6,
  'role:moderators': 7,
}

// Old clients know permissions as numbers. What no number says becomes the widest, since the server checks anyway.
function legacyPolicies(realm: RealmState) {
  const number = (permission: RealmPermission, numbers: typeof legacyNumbers, widest: number) => {
    const value = realmPermissionValue(realm, permission)
    const group = typeof value === 'number' ? realm.groups.get(value) : undefined
    return numbers[group?.name as SystemGroup] ?? widest
  }
  return {
    realm_create_public_stream_policy: number('can_create_public_channel_group', legacyNumbers, 1),
    realm_create_private_stream_policy: number('can_create_private_channel_group', legacyNumbers, 1),
    realm_create_web_public_stream_policy: number(
      'can_create_web_public_channel_group',
      legacyWebPublicNumbers,
      4,
    ),
    realm_wildcard_mention_policy: number('can_mention_many_users_group', legacyMentionNumbers, 1),
  }
}

/** Where the organization is, and what it looks like. */
function place({ realm, site }: Registration) {
  const url = realmUrl(site, realm.realm)
  const icon = realmIconUrl(realm)
  return {
    realm_url: url,
    realm_uri: url, // until level 257
    realm_bot_domain: realmHost(site, realm.realm),
    realm_icon_url: icon,
    realm_icon_source: 'G',
    // As long as nobody uploads a logo, the icon stands for it.
    realm_logo_url: icon,
    realm_logo_source: 'D',
    realm_night_logo_url: icon,
    realm_night_logo_source: 'D',
  }
}

/** A server of one's own sells nothing and limits nothing. */
const hosting = {
  realm_plan_type: 1,
  zulip_plan_is_not_limited: true,
  upgrade_text_for_wide_organization_logo: '',
  realm_upload_quota_mib: null,
  realm_push_notifications_enabled: false,
  realm_push_notifications_enabled_end_timestamp: null,
  realm_is_zephyr_mirror_realm: false,
  realm_authentication_methods: { Email: { enabled: true, available: true } },
  realm_email_auth_enabled: true,
  realm_password_auth_enabled: true,
  realm_default_external_accounts: {},
}
