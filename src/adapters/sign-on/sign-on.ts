/** Somebody as another service knows them. */
export type Identity = {
  /** How they came: the name of a login method. */
  method: 'LDAP' | 'OpenID Connect'
  /** Who they are at a service that may give their address to somebody else one day. */
  link: { issuer: string; id: string } | null
  email: string
  /** Whether the service answers for the address being theirs. */
  isEmailVerified: boolean
  name: string
  groups: string[]
}

/** What must be kept of a browser that sets out for a provider, until it comes back. */
export type LoginState = { state: string; nonce: string; verifier: string }

/** An OpenID Connect provider. */
export type OpenIdProvider = {
  /** What people call it. */
  name: string
  /** Where to send a browser. Throws ComponentError. */
  begin(redirectUrl: string): Promise<LoginState & { url: string }>
  /** Who has come back to `url`. Throws ComponentError or SignOnCancelled. */
  finish(url: URL, departure: LoginState): Promise<Identity>
}

/** A directory that knows passwords. */
export type Directory = {
  /** Who has this name and password; undefined if nobody. Throws ComponentError. */
  check(username: string, password: string): Promise<Identity | undefined>
}

/** All means of logging in besides a password of this server. */
export type SignOn = {
  openId?: OpenIdProvider | undefined
  directory?: Directory | undefined
  /** What checks the tokens of another server that vouches for people. */
  jwt?: { key: string; algorithm: string } | undefined
  /** Everybody may be everybody. */
  isDevelopment?: boolean
  createsAccounts?: boolean
  /** Groups and roles that follow those at the service: theirs, ours. */
  groups?: [theirs: string, ours: string][]
  roles?: [theirs: string, ours: string][]
}

/** Another service does not vouch for anybody, as somebody did not want it to. The message is a sentence for people. */
export class SignOnCancelled extends Error {
  override name = 'SignOnCancelled'
}
