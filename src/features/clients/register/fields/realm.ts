import { namesIn } from '../../../../lib/collections/records.ts'
import { realmHost, realmUrl, type Site } from '../../../../lib/site.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { realmPermissionValue } from '../../../kernel/groups/access.ts'
import { realmPermissions, supportedPermissionSettings } from '../../../kernel/groups/permission-settings.ts'
import { groupSettingView } from '../../../kernel/groups/setting-view.ts'
import { isEnabled, methodsView } from '../../../kernel/login/methods.ts'
import { realmSettingDefaults, realmSettings } from '../../../kernel/settings/settings.ts'
import { emptyTopicDisplayName } from '../../../kernel/topics/shown-topic.ts'
import { legacyPolicies } from '../../../organization/kernel/settings/legacy-policies.ts'
import {
  realmPictureSource,
  realmPictureUrl,
} from '../../../organization/organization-pictures/picture-urls.ts'
import { externalAccounts } from '../../../people/kernel/profile-fields/field-types.ts'
import type { Registration, Section } from '../section.ts'
import { clientLimits, serverFields } from './server.ts'

export const realmSections: Section[] = [
  {
    asked: ['realm'],
    fields: (registration) => ({
      ...settings(registration.realm),
      realm_digest_emails_enabled: sendsDigests(registration),
      ...permissions(registration.realm),
      ...policies(registration.realm),
      ...place(registration),
      ...hosting,
      ...logins(registration),
      realm_push_notifications_enabled: registration.adapters.push !== undefined,
      ...serverFields(registration, realmUrl(registration.site, registration.realm.row)),
      ...clientLimits,
      server_supported_permission_settings: supportedPermissionSettings(),
    }),
  },
]

/** Returns every setting of the organization, by its name in PATCH /realm. */
function settings(realm: RealmState) {
  const values = realmSettings(realm)
  const names = namesIn(realmSettingDefaults)
  return {
    ...Object.fromEntries(names.map((name) => [`realm_${name}`, values[name]])),
    realm_name: realm.row.name,
    realm_date_created: realm.row.created_at,
    realm_mandatory_topics: values.topics_policy === 'disable_empty_topic', // until level 392
    realm_allow_edit_history: values.message_edit_history_visibility_policy !== 'none', // until level 358
    realm_empty_topic_display_name: emptyTopicDisplayName,
    jitsi_server_url: values.jitsi_server_url ?? jitsiServerUrl, // until level 212
    server_jitsi_server_url: jitsiServerUrl,
  }
}

/** The organization may have turned digests on before the server had a mail server. */
function sendsDigests({ realm, adapters }: Registration) {
  return realmSettings(realm).digest_emails_enabled && adapters.mail !== undefined
}

const jitsiServerUrl = 'https://meet.jit.si'

function permissions(realm: RealmState) {
  const names = namesIn(realmPermissions)
  return Object.fromEntries(
    names.map((name) => [`realm_${name}`, groupSettingView(realm, realmPermissionValue(realm, name))]),
  )
}

/** Returns permissions as old clients know them. */
function policies(realm: RealmState) {
  return legacyPolicies((permission) => {
    const value = realmPermissionValue(realm, permission)
    return typeof value === 'number' ? realm.groups.get(value)?.name : undefined
  })
}

/** Returns the organization's address and pictures. */
function place({ realm, site }: Registration) {
  const url = realmUrl(site, realm.row)
  return {
    realm_url: url,
    realm_uri: url, // until level 257
    realm_bot_domain: realmHost(site, realm.row),
    realm_upload_quota_mib: site.uploadQuotaMib ?? null,
    ...pictures(realm, site),
  }
}

function pictures(realm: RealmState, site: Site) {
  return {
    realm_icon_url: realmPictureUrl(realm, site, 'icon'),
    realm_icon_source: realmPictureSource(realm, 'icon'),
    realm_logo_url: realmPictureUrl(realm, site, 'logo'),
    realm_logo_source: realmPictureSource(realm, 'logo'),
    realm_night_logo_url: realmPictureUrl(realm, site, 'night_logo'),
    realm_night_logo_source: realmPictureSource(realm, 'night_logo'),
  }
}

/** Returns the available login methods. */
function logins({ realm, adapters }: Registration) {
  return {
    realm_authentication_methods: methodsView(realm, adapters),
    realm_email_auth_enabled: isEnabled(realm, adapters, 'Email'),
    realm_password_auth_enabled: isEnabled(realm, adapters, 'Email') || isEnabled(realm, adapters, 'LDAP'),
  }
}

/** A self-hosted server sells nothing and limits nothing. */
const hosting = {
  realm_plan_type: 1,
  zulip_plan_is_not_limited: true,
  upgrade_text_for_wide_organization_logo: '',
  realm_push_notifications_enabled_end_timestamp: null,
  realm_is_zephyr_mirror_realm: false,
  realm_default_external_accounts: externalAccounts,
}
