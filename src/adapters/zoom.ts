import { adapterLimits } from './limits.ts'
import { FetchError, jsonFieldsOf, type SafeFetch, type SafeRequest } from './safe-fetch.ts'

type ZoomApp = { clientId: string; clientSecret: string; url: string; apiUrl: string }

/** A user's tokens for calls: valid for `seconds`; then `refresh`, which works once, gives the next. */
export type ZoomTokens = { access: string; refresh: string; seconds: number }

/**
 * Why Zoom did not carry out a request. `problem`: the token is not, or no longer, valid; Zoom refuses this for this
 * user; or Zoom, or the network, does not work. The message is a sentence for users.
 */
export class ZoomError extends Error {
  override name = 'ZoomError'
  readonly problem: 'token' | 'request' | 'Zoom'

  constructor(message: string, problem: ZoomError['problem'] = 'Zoom', cause?: unknown) {
    super(message, { cause })
    this.problem = problem
  }
}

/** A response takes at most 10 seconds, so that it arrives long before its client has given up. */
const asked = { timeoutMs: adapterLimits.videoCallMs, maxBytes: adapterLimits.videoCallBytes }

/**
 * Zoom, as an OAuth app that users allow to make calls in their name. All methods but `authorizeUrl` throw ZoomError.
 */
export class Zoom {
  private readonly app: ZoomApp
  private readonly fetch: SafeFetch

  constructor(app: ZoomApp, fetch: SafeFetch) {
    const [url, apiUrl] = [app.url, app.apiUrl].map((one) => one.replace(/\/$/, ''))
    this.app = { ...app, url: url!, apiUrl: apiUrl! }
    this.fetch = fetch
  }

  /** Returns the page where the user grants access; the browser returns to `redirectUri` with the state. */
  authorizeUrl(state: string, redirectUri: string): string {
    const query = { response_type: 'code', client_id: this.app.clientId, redirect_uri: redirectUri, state }
    return `${this.app.url}/oauth/authorize?${new URLSearchParams(query)}`
  }

  /** Returns the first tokens, for the code that the browser brought back. */
  tokensFor(code: string, redirectUri: string): Promise<ZoomTokens> {
    return this.tokens({ grant_type: 'authorization_code', code, redirect_uri: redirectUri })
  }

  /** Returns the next tokens. Refused: the user has withdrawn access. */
  nextTokens(refresh: string): Promise<ZoomTokens> {
    return this.tokens({ grant_type: 'refresh_token', refresh_token: refresh })
  }

  /** Creates a meeting; returns the address at which users join it. Refused: as above. */
  async createMeeting(access: string, isVideoCall: boolean): Promise<string> {
    const { status, fields } = await this.ask(`${this.app.apiUrl}/v2/users/me/meetings`, {
      method: 'POST',
      headers: { authorization: `Bearer ${access}`, 'content-type': 'application/json' },
      // With the password that Zoom makes up, the address alone lets people in.
      body: JSON.stringify({
        default_password: true,
        settings: { host_video: isVideoCall, participant_video: isVideoCall },
      }),
    })
    const { code, message, join_url } = fields
    if (status === 401 || (status === 404 && code === noSuchUser)) {
      throw new ZoomError('Zoom does not accept the token.', 'token')
    }
    if (status >= 300)
      throw new ZoomError(`Zoom says: ${brief(message) || `status ${status}`}`, problemOf(status))
    if (isWebAddress(join_url)) return join_url
    throw new ZoomError('Zoom has answered without an address.')
  }

  private async tokens(form: Record<string, string>): Promise<ZoomTokens> {
    const { clientId, clientSecret, url } = this.app
    const { status, fields } = await this.ask(`${url}/oauth/token`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams(form).toString(),
    })
    const { access_token: access, refresh_token: refresh, expires_in, error, reason } = fields
    if (error === 'invalid_client' || error === 'unauthorized_client') {
      throw new ZoomError('Zoom does not know this server.')
    }
    if (status === 400 || status === 401) throw new ZoomError('Zoom does not accept the token.', 'token')
    if (status >= 300)
      throw new ZoomError(`Zoom says: ${brief(reason) || `status ${status}`}`, problemOf(status))
    const seconds = Number(expires_in)
    if (isText(access) && isText(refresh) && seconds > 0 && seconds < 1e9) {
      return { access, refresh, seconds: Math.floor(seconds) }
    }
    throw new ZoomError('Zoom has answered without tokens.')
  }

  private async ask(url: string, request: Omit<SafeRequest, 'timeoutMs' | 'maxBytes'>) {
    try {
      const answer = await this.fetch(url, { ...asked, ...request })
      return { status: answer.status, fields: jsonFieldsOf(answer) }
    } catch (error) {
      if (error instanceof FetchError)
        throw new ZoomError(`Zoom does not answer: ${error.message}.`, 'Zoom', error)
      throw error
    }
  }
}

function problemOf(status: number) {
  return status >= 400 && status < 500 && status !== 429 ? 'request' : 'Zoom'
}

/** Zoom's number for an unknown user. */
const noSuchUser = 1001

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function isWebAddress(value: unknown): value is string {
  return isText(value) && /^https?:\/\//.test(value) && URL.canParse(value)
}

/** Shortens a text of Zoom's so that it fits into an error. */
function brief(value: unknown): string {
  return isText(value) ? value.slice(0, 200) : ''
}
