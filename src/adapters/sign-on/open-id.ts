import type * as Client from 'openid-client'
import { ComponentError } from '../../lib/component.ts'
import { must } from '../../lib/must.ts'
import { adapterLimits } from '../limits.ts'
import { connectionFault } from './faults.ts'
import { type Identity, type LoginState, type OpenIdProvider, SignOnCanceled } from './sign-on.ts'

type OpenIdSettings = {
  issuer: string
  clientId: string
  clientSecret: string | undefined
  name: string
  scopes: string
  groupsClaim: string
}

/**
 * A provider, by OpenID Connect's authorization code flow with PKCE, state and nonce. Its metadata is fetched at the
 * first login; if that fails, the next login tries again.
 */
export function openIdProvider(settings: OpenIdSettings): OpenIdProvider {
  let known: Promise<Client.Configuration> | undefined
  const configuration = () => {
    known ??= discover(settings)
    known.catch(() => {
      known = undefined
    })
    return known
  }
  return {
    name: settings.name,
    begin: (redirectUrl) => inWords(async () => begin(settings, await configuration(), redirectUrl)),
    finish: (url, loginState) =>
      inWords(async () => finish(settings, await configuration(), url, loginState)),
  }
}

async function discover({ issuer, clientId, clientSecret }: OpenIdSettings): Promise<Client.Configuration> {
  const client = await import('openid-client')
  const url = new URL(issuer)
  return client.discovery(url, clientId, clientSecret, clientSecret ? undefined : client.None(), {
    timeout: adapterLimits.signOnRequestSeconds,
    // The admin has named the provider, and by plain http only one that is near.
    execute: url.protocol === 'http:' ? [client.allowInsecureRequests] : [],
  })
}

async function begin({ scopes }: OpenIdSettings, configuration: Client.Configuration, redirectUrl: string) {
  const client = await import('openid-client')
  const loginState = {
    state: client.randomState(),
    nonce: client.randomNonce(),
    verifier: client.randomPKCECodeVerifier(),
  }
  const url = client.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUrl,
    scope: scopes,
    state: loginState.state,
    nonce: loginState.nonce,
    code_challenge: await client.calculatePKCECodeChallenge(loginState.verifier),
    code_challenge_method: 'S256',
  })
  return { ...loginState, url: url.href }
}

async function finish(
  { groupsClaim }: OpenIdSettings,
  configuration: Client.Configuration,
  url: URL,
  { state, nonce, verifier }: LoginState,
): Promise<Identity> {
  const client = await import('openid-client')
  const tokens = await client.authorizationCodeGrant(configuration, url, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  })
  const token = must(tokens.claims(), 'id token')
  if (token.sub.length > adapterLimits.signOnSubjectLength)
    throw new Error('the subject of the token is too long')
  const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined
  const claims: Record<string, unknown> = {
    ...token,
    ...(hasMore && (await client.fetchUserInfo(configuration, tokens.access_token, token.sub))),
  }
  return {
    method: 'OpenID Connect',
    link: { issuer: token.iss, id: token.sub },
    email: textOf(claims.email),
    // Some providers send it as a text.
    isEmailVerified: claims.email_verified === true || claims.email_verified === 'true',
    name: textOf(claims.name) || textOf(claims.preferred_username),
    groups: [claims[groupsClaim]].flat().filter((group) => typeof group === 'string'),
  }
}

function textOf(claim: unknown): string {
  return typeof claim === 'string' ? claim.trim() : ''
}

/** Runs an operation with the provider; failures become a ComponentError, or SignOnCanceled. */
async function inWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const refused = (error as { error?: unknown } | null)?.error
    if (refused === 'access_denied') throw new SignOnCanceled('The sign-on was canceled.')
    throw (
      connectionFault('sign-on service', error) ??
      new ComponentError(
        'sign-on service',
        'The sign-on service has given an answer that is not valid.',
        error,
      )
    )
  }
}
