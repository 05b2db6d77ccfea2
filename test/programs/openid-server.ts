import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

type OpenIdServer = {
  issuer: string
  clientId: string
  clientSecret: string
  /** The next user to log in, with their claims. */
  person: Record<string, unknown> & { sub: string }
  /** Follows an address of the provider until it redirects away; returns the target. */
  signIn(url: string): Promise<string>
  close(): Promise<void>
}

/** A real OpenID Connect provider, at which every browser is `person` without being asked. */
export async function openIdServer(callbacks: string[]): Promise<OpenIdServer> {
  const http = createServer()
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const client = { client_id: 'rookery', client_secret: 'a secret of the two' }
  const server: OpenIdServer = {
    issuer,
    clientId: client.client_id,
    clientSecret: client.client_secret,
    person: { sub: 'nobody' },
    signIn: (url) => follow(issuer, url),
    close: () => new Promise((resolve) => http.close(() => resolve())),
  }
  const provider = new Provider(issuer, {
    clients: [{ ...client, redirect_uris: callbacks }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
    scopes: ['openid', 'email', 'profile', 'groups'],
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ['a key for cookies'] },
    interactions: { url: (_, { uid }) => `/who/${uid}` },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ ...server.person, sub: id }) }),
    async loadExistingGrant(context) {
      const { accountId } = context.oidc.session!
      const grant = new provider.Grant({ clientId: context.oidc.client!.clientId, accountId: accountId! })
      grant.addOIDCScope('openid email profile groups')
      await grant.save()
      return grant
    },
  })
  const answer = provider.callback()
  http.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!request.url!.startsWith('/who/')) return void answer(request, response)
    void provider.interactionFinished(request, response, { login: { accountId: server.person.sub } })
  })
  return server
}

/** Follows redirects like a browser without cookies. */
async function follow(issuer: string, start: string): Promise<string> {
  const cookies = new Map<string, string>()
  for (let url = start; ; ) {
    if (!url.startsWith(issuer)) return url
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const set of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!
      cookies.set(name!, value!)
    }
    const location = answer.headers.get('location')
    if (!location) throw new Error(`the provider answers ${answer.status}: ${await answer.text()}`)
    url = new URL(location, url).href
  }
}
