import { z } from 'zod'
import { anyone } from '../../http/access.ts'
import { query } from '../../http/endpoint.ts'
import { realmUrl } from '../../lib/site.ts'
import { featureLevel, mergeBase, zulipVersion } from '../../lib/version.ts'
import { emptyLookup } from '../../markdown/lookup.ts'
import { render } from '../../markdown/render.ts'
import { realmSettings } from '../realm/settings.ts'
import { realmIconUrl } from './realm-icon.ts'

export const getServerSettings = query('GET /server_settings', {
  summary: 'Learn what a client must know of the server and the organization before anybody logs in',
  access: anyone,
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
    external_authentication_methods: z.array(z.object({})),
  },
  async handle({ realm, site }) {
    const url = realmUrl(site, realm.realm)
    return {
      authentication_methods: authenticationMethods,
      zulip_version: zulipVersion,
      zulip_merge_base: mergeBase,
      zulip_feature_level: featureLevel,
      push_notifications_enabled: false,
      is_incompatible: false,
      email_auth_enabled: true,
      require_email_format_usernames: true,
      realm_url: url,
      realm_name: realm.realm.name,
      realm_icon: realmIconUrl(realm),
      realm_description: render(realmSettings(realm).description, emptyLookup).html,
      realm_web_public_access_enabled: false,
      external_authentication_methods: [],
      realm_uri: url,
    }
  },
})

const authenticationMethods = {
  password: true,
  dev: false,
  email: true,
  ldap: false,
  remoteuser: false,
  github: false,
  azuread: false,
  gitlab: false,
  google: false,
  apple: false,
  saml: false,
  'openid connect': false,
}
