import { z } from 'zod'
import type { Adapters } from '../../../adapters/adapters.ts'
import { allowAnonymous } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { must } from '../../../lib/must.ts'
import { realmUrl } from '../../../lib/site.ts'
import { featureLevel, mergeBase, zulipVersion } from '../../../lib/version.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { render } from '../../../markdown/render.ts'
import { hasWebPublicChannels } from '../../kernel/channels/web-public.ts'
import { emojiLookup } from '../../kernel/emoji/emoji-lookup.ts'
import { isEnabled } from '../../kernel/login/methods.ts'
import { realmSettings } from '../../kernel/settings/settings.ts'
import { realmPictureUrl } from '../../organization/organization-pictures/picture-urls.ts'

export const getServerSettings = query('GET /server_settings', {
  summary: 'Get the server settings that clients need before login',
  access: allowAnonymous,
  params: {},
  returns: {
    authentication_methods: z.record(z.string(), z.boolean()),
    zulip_version: z.string(),
    zulip_merge_base: z.string(),
    zulip_feature_level: z.int(),
    push_notifications_enabled: z.boolean(),
    is_incompatible: z.boolean(),
    email_auth_enabled: z.boolean(),
    require_email_format_usernames: z.boolean(),
    realm_url: z.string(),
    realm_uri: z.string(),
    realm_name: z.string(),
    realm_icon: z.string(),
    realm_description: z.string(),
    realm_web_public_access_enabled: z.boolean(),
    external_authentication_methods: z.array(
      z.object({
        name: z.string(),
        display_name: z.string(),
        display_icon: z.string().nullable(),
        login_url: z.string(),
        signup_url: z.string(),
      }),
    ),
  },
  async handle({ realm, site, adapters }) {
    const url = realmUrl(site, realm.row)
    return {
      authentication_methods: authenticationMethods(realm, adapters),
      zulip_version: zulipVersion,
      zulip_merge_base: mergeBase,
      zulip_feature_level: featureLevel,
      push_notifications_enabled: adapters.push !== undefined,
      is_incompatible: false,
      email_auth_enabled: isEnabled(realm, adapters, 'Email'),
      require_email_format_usernames: !isEnabled(realm, adapters, 'LDAP'),
      realm_url: url,
      realm_name: realm.row.name,
      realm_icon: realmPictureUrl(realm, site, 'icon'),
      realm_description: render(realmSettings(realm).description, emojiLookup(realm)).html,
      realm_web_public_access_enabled: hasWebPublicChannels(realm, site),
      external_authentication_methods: externalMethods(realm, adapters),
      realm_uri: url,
    }
  },
})

function authenticationMethods(realm: RealmState, adapters: Adapters) {
  const [email, ldap] = [isEnabled(realm, adapters, 'Email'), isEnabled(realm, adapters, 'LDAP')]
  return {
    password: email || ldap,
    dev: adapters.signOn?.isDevelopment ?? false,
    email,
    ldap,
    remoteuser: false,
    github: false,
    azuread: false,
    gitlab: false,
    google: false,
    apple: false,
    saml: false,
    'openid connect': isEnabled(realm, adapters, 'OpenID Connect'),
  }
}

/** Returns the login methods that a client opens in a browser. */
function externalMethods(realm: RealmState, adapters: Adapters) {
  if (!isEnabled(realm, adapters, 'OpenID Connect')) return []
  const urls = { login_url: '/login/openid', signup_url: '/login/openid' }
  const { name } = must(adapters.signOn?.openId, 'OpenID Connect provider')
  return [{ name: 'oidc:default', display_name: name, display_icon: null, ...urls }]
}
