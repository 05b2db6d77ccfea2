import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { authority, serverKey, validCertificate } from './certificates.ts'

type Received = { path: string; headers: Record<string, string | string[] | undefined>; body: Buffer }

/** A browser's push service: it records its input, and responds as configured. */
export class PushService {
  /** The authority that vouches for its identity. */
  readonly trusted = authority
  readonly received: Received[] = []
  /** The responses by path, where they are not a success. */
  readonly answers = new Map<string, { status: number; retryAfter?: number }>()
  private server: Server | undefined

  async start() {
    this.server = createServer({ cert: validCertificate, key: serverKey }, async (request, response) => {
      const path = request.url ?? ''
      this.received.push({ path, headers: request.headers, body: await buffer(request) })
      const { status, retryAfter } = this.answers.get(path) ?? { status: 201, retryAfter: undefined }
      if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter)
      response.writeHead(status).end()
    })
    await new Promise<void>((resolve) => this.server!.listen(0, '127.0.0.1', resolve))
  }

  stop() {
    this.server?.closeAllConnections()
    this.server?.close()
  }

  get origin() {
    return `https://localhost:${(this.server!.address() as AddressInfo).port}`
  }
}

let browsers = 0

/** A browser that has subscribed with a push service. */
export class Browser {
  readonly path = `/push/${++browsers}`
  private readonly service: PushService
  private readonly keys = createECDH('prime256v1')
  private readonly secret = randomBytes(16)

  constructor(service: PushService) {
    this.service = service
    this.keys.generateKeys()
  }

  /** The subscription in the form of browsers. */
  get subscription() {
    const keys = {
      p256dh: this.keys.getPublicKey().toString('base64url'),
      auth: this.secret.toString('base64url'),
    }
    return { endpoint: this.service.origin + this.path, expirationTime: null, keys }
  }

  get requests() {
    return this.service.received.filter(({ path }) => path === this.path)
  }

  /** The notifications received here, decrypted. */
  // biome-ignore lint/suspicious/noExplicitAny: it is whatever was sent
  got(): any[] {
    return this.requests.map(({ body }) => JSON.parse(this.decrypt(body)))
  }

  /** RFC 8291, of a message that is one record. */
  private decrypt(body: Buffer): string {
    const salt = body.subarray(0, 16)
    const sender = body.subarray(21, 21 + body[20]!)
    const sealed = body.subarray(21 + body[20]!)
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), this.keys.getPublicKey(), sender])
    const key = hkdfSync('sha256', this.keys.computeSecret(sender), this.secret, info, 32)
    const part = (name: string, size: number) =>
      Buffer.from(hkdfSync('sha256', Buffer.from(key), salt, `Content-Encoding: ${name}\0`, size))
    const decipher = createDecipheriv('aes-128-gcm', part('aes128gcm', 16), part('nonce', 12))
    decipher.setAuthTag(sealed.subarray(-16))
    const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
    return plain.subarray(0, plain.lastIndexOf(2)).toString()
  }
}
