import {
  anyText,
  attribute,
  distinguishedName,
  httpUrl,
  keyText,
  ldapUrl,
  name,
  oneOf,
  onOff,
  optional,
  pairs,
  required,
  scopes,
  words,
} from './setting-kinds.ts'

/** The settings of logging in by other means than a password of this server. */
export const signOnSettings = {
  oidcIssuer: {
    ...optional('ROOKERY_OIDC_ISSUER', httpUrl(), 'none: no OpenID Connect'),
    summary: 'The OpenID Connect provider: the URL below which its `/.well-known/openid-configuration` is.',
  },
  oidcClientId: {
    ...optional('ROOKERY_OIDC_CLIENT_ID', name(200), 'needed with an issuer'),
    summary: 'What the provider knows this server as.',
  },
  oidcClientSecret: {
    ...optional('ROOKERY_OIDC_CLIENT_SECRET', anyText(), 'none: a public client'),
    summary: 'The secret that goes with it.',
    secret: true,
  },
  oidcName: required(
    'ROOKERY_OIDC_NAME',
    words(40),
    'single sign-on',
    'What the button for it says after “Sign in with”.',
  ),
  oidcScopes: required(
    'ROOKERY_OIDC_SCOPES',
    scopes(),
    'openid email profile',
    'What the provider is asked for.',
  ),
  oidcGroupsClaim: required(
    'ROOKERY_OIDC_GROUPS_CLAIM',
    words(100),
    'groups',
    'The claim that lists the groups of a person.',
  ),
  ldapUrl: {
    ...optional('ROOKERY_LDAP_URL', ldapUrl(), 'none: no LDAP'),
    summary: 'The LDAP directory that checks passwords.',
  },
  ldapStartTls: required(
    'ROOKERY_LDAP_STARTTLS',
    onOff(),
    'off',
    'Whether an `ldap://` connection goes on in TLS.',
  ),
  ldapBindDn: {
    ...optional('ROOKERY_LDAP_BIND_DN', words(500), 'none: searches anonymously'),
    summary: 'The entry as which this server searches the directory.',
  },
  ldapBindPassword: {
    ...optional('ROOKERY_LDAP_BIND_PASSWORD', anyText(), 'needed with such an entry'),
    summary: 'Its password.',
    secret: true,
  },
  ldapBase: {
    ...optional('ROOKERY_LDAP_BASE', distinguishedName(), 'needed with a directory'),
    summary: 'The entry below which people are searched for.',
  },
  ldapFilter: required(
    'ROOKERY_LDAP_FILTER',
    words(500),
    '(uid={username})',
    'Which entry is a person’s; `{username}` stands for what they type.',
  ),
  ldapEmailAttribute: required(
    'ROOKERY_LDAP_EMAIL',
    attribute(),
    'mail',
    'The attribute with the email address.',
  ),
  ldapNameAttribute: required('ROOKERY_LDAP_NAME', attribute(), 'cn', 'The attribute with the full name.'),
  ldapGroupsAttribute: required(
    'ROOKERY_LDAP_GROUPS',
    attribute(),
    'memberOf',
    'The attribute that lists the groups of a person.',
  ),
  signOnCreates: required(
    'ROOKERY_SIGN_ON_CREATES_ACCOUNTS',
    onOff(),
    'off',
    'Whether users who sign on through LDAP or OpenID Connect, and have no account, get one.',
  ),
  signOnGroups: {
    ...optional('ROOKERY_SIGN_ON_GROUPS', pairs(), 'none'),
    summary:
      'User groups that follow groups there: `THEIRS=OURS; …`. Their members come and go at each sign-on.',
  },
  signOnRoles: {
    ...optional('ROOKERY_SIGN_ON_ROLES', pairs(['administrator', 'moderator', 'member', 'guest']), 'none'),
    summary: 'Roles that follow groups there: `THEIRS=ROLE; …`; the first that fits. Owners stay owners.',
  },
  jwtKey: {
    ...optional('ROOKERY_JWT_KEY', keyText(), 'none: no signing in by JWT'),
    summary:
      'The shared secret (32 characters or more), or the public key in PEM, that checks tokens for `POST /jwt/fetch_api_key`.',
    secret: true,
  },
  jwtAlgorithm: required(
    'ROOKERY_JWT_ALGORITHM',
    oneOf('HS256', 'HS384', 'HS512', 'RS256', 'ES256', 'EdDSA'),
    'HS256',
    'How those tokens are signed.',
  ),
  developmentLogin: required(
    'ROOKERY_DEVELOPMENT_LOGIN',
    onOff(),
    'off',
    'Whether every user can log in as any other, without a password. For development only.',
  ),
} as const
