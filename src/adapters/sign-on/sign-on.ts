/** A user's identity at another service. */
export type Identity = {
  /** The name of the login method. */
  method: 'LDAP' | 'OpenID Connect'
  /** The user's permanent id at a service that may reassign addresses. */
  link: { issuer: string; id: string } | null
  email: string
  /** Whether the service vouches that the user owns the address. */
  isEmailVerified: boolean
  name: string
  groups: string[]
}

/** The state of a browser's login at a provider, kept until the browser returns. */
export type LoginState = { state: string; nonce: string; verifier: string }

/** An OpenID Connect provider. */
export type OpenIdProvider = {
  /** The name for users. */
  name: string
  /** Returns the address to redirect the browser to. Throws ComponentError. */
  begin(redirectUrl: string): Promise<LoginState & { url: string }>
  /** Returns the identity of the user whose browser has returned to `url`. Throws ComponentError or SignOnCanceled. */
  finish(url: URL, loginState: LoginState): Promise<Identity>
}

/** A directory that checks passwords. */
export type Directory = {
  /**
   * Returns the user with this name and password; undefined if there is none. Throws ComponentError. Calls `beforeTry`
   * with the one name of the user whose password it is about to try, however the user's name was written, and passes on
   * what this throws.
   */
  check(
    username: string,
    password: string,
    beforeTry: (name: string) => Promise<void>,
  ): Promise<Identity | undefined>
}

/** All means of logging in besides a password of this server. */
export type SignOn = {
  openId?: OpenIdProvider | undefined
  directory?: Directory | undefined
  /** Verifies the tokens of another server that vouches for users. */
  jwt?: { key: string; algorithm: string } | undefined
  /** Anyone may log in as any user. */
  isDevelopment?: boolean
  createsAccounts?: boolean
  /** Groups and roles that follow those at the service: theirs, ours. */
  groups?: [theirs: string, ours: string][]
  roles?: [theirs: string, ours: string][]
}

/** The user has canceled the login at another service. The message is a sentence for users. */
export class SignOnCanceled extends Error {
  override name = 'SignOnCanceled'
}
