import { createHash, createHmac } from 'node:crypto'
import { ComponentError } from '../lib/component.ts'
import { isSameSecret } from '../lib/secrets/is-same-secret.ts'
import { adapterLimits } from './limits.ts'
import { FetchError, type SafeFetch } from './safe-fetch.ts'

/** A video call that a user has created. */
type Meeting = { id: string; name: string; moderatorId: number; voiceOnly: boolean }

const asked = { timeoutMs: adapterLimits.videoCallMs, maxBytes: adapterLimits.videoCallBytes }

/** A BigBlueButton server on which this one may open rooms. `url` ends where its `api/` begins. */
export class BigBlueButton {
  private readonly url: string
  private readonly secret: string
  private readonly fetch: SafeFetch

  constructor(url: string, secret: string, fetch: SafeFetch) {
    this.url = url.replace(/\/?$/, '/')
    this.secret = secret
    this.fetch = fetch
  }

  /** Returns a text that identifies a meeting of an organization, and that others cannot forge. */
  ticket(realmId: number, meeting: Meeting): string {
    const text = Buffer.from(JSON.stringify({ realmId, ...meeting })).toString('base64url')
    return `${text}.${this.sign(text)}`
  }

  /** Returns the meeting of a ticket; undefined if it is none of this organization. */
  meetingOf(realmId: number, ticket: string): Meeting | undefined {
    const [text = '', given = ''] = ticket.split('.')
    if (!isSameSecret(given, this.sign(text))) return undefined
    const { realmId: of, ...meeting } = JSON.parse(Buffer.from(text, 'base64url').toString())
    return of === realmId ? meeting : undefined
  }

  /**
   * Opens the room if needed; returns the address at which the user enters it. Throws ComponentError if the server
   * refuses.
   */
  async enter({ id, name, moderatorId, voiceOnly }: Meeting, who: { id: number; full_name: string }) {
    const room = { meetingID: id, name, lockSettingsDisableCam: String(voiceOnly) }
    const opened = await this.call('create', new URLSearchParams(room))
    const role = who.id === moderatorId ? 'MODERATOR' : 'VIEWER'
    const params = new URLSearchParams({
      meetingID: id,
      role,
      fullName: who.full_name,
      userID: String(who.id),
    })
    const createTime = /<createTime>(\d+)<\/createTime>/.exec(opened)?.[1]
    if (createTime !== undefined) params.set('createTime', createTime)
    return this.address('join', params)
  }

  /** Sends a request that needs the secret. Throws ComponentError if the server refuses. */
  async check() {
    await this.call('getMeetings', new URLSearchParams())
  }

  private async call(action: string, params: URLSearchParams): Promise<string> {
    try {
      const { status, body } = await this.fetch(this.address(action, params), asked)
      const text = body.toString()
      if (status === 200 && text.includes('<returncode>SUCCESS</returncode>')) return text
      const said = new Error(`It answered ${status}: ${text.slice(0, 300)}`)
      throw new ComponentError('BigBlueButton', 'BigBlueButton server returned an unexpected error.', said)
    } catch (error) {
      if (!(error instanceof FetchError)) throw error
      throw new ComponentError('BigBlueButton', 'Error connecting to the BigBlueButton server.', error)
    }
  }

  private address(action: string, params: URLSearchParams): string {
    const query = params.toString()
    const checksum = createHash('sha256').update(`${action}${query}${this.secret}`).digest('hex')
    return `${this.url}api/${action}?${query}${query && '&'}checksum=${checksum}`
  }

  private sign(text: string): string {
    return createHmac('sha256', this.secret).update(`ticket ${text}`).digest('base64url')
  }
}
