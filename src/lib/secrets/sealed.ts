import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/** The key of the row in which a sealed text is stored: the organization, then the row's key within it. */
export type RowKey = readonly [realmId: number, ...row: (number | string)[]]

/**
 * Encrypts texts that the server must read again and that the database alone must not reveal (AES-256-GCM). The secret
 * is kept outside the database. A purpose is a fixed phrase; each purpose has a key of its own.
 */
export class Secrets {
  // A truly private field: code that writes a site into a log or a response by mistake does not include it.
  readonly #secret: string
  readonly #keys = new Map<string, Buffer>()

  /** `secret`: as hard to guess as 128 random bits or more. */
  constructor(secret: string) {
    this.#secret = secret
  }

  /**
   * Returns the text for the database, in Base64: a third longer, plus 40 characters. Only `open` with the same row
   * can read it.
   */
  seal(purpose: string, row: RowKey, text: string): string {
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv(algorithm, this.#keyFor(purpose), nonce, { authTagLength: tagBytes })
    cipher.setAAD(additionalData(row))
    const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([Buffer.of(version), nonce, content, cipher.getAuthTag()]).toString('base64')
  }

  /**
   * Returns the sealed text; undefined if this secret did not seal it for this purpose and row: it comes from a
   * server with another secret, from another row, or is damaged.
   */
  open(purpose: string, row: RowKey, sealed: string): string | undefined {
    const bytes = Buffer.from(sealed, 'base64')
    if (bytes[0] !== version || bytes.length < 1 + nonceBytes + tagBytes) return undefined
    const nonce = bytes.subarray(1, 1 + nonceBytes)
    const content = bytes.subarray(1 + nonceBytes, -tagBytes)
    const decipher = createDecipheriv(algorithm, this.#keyFor(purpose), nonce, { authTagLength: tagBytes })
    decipher.setAAD(additionalData(row)).setAuthTag(bytes.subarray(-tagBytes))
    try {
      return Buffer.concat([decipher.update(content), decipher.final()]).toString('utf8')
    } catch {
      return undefined
    }
  }

  /** Returns the signature of a text (HMAC-SHA256), which only a holder of the secret can make. It is the same each time. */
  sign(purpose: string, text: string): Buffer {
    return createHmac('sha256', this.#keyFor(purpose)).update(text).digest()
  }

  #keyFor(purpose: string): Buffer {
    let key = this.#keys.get(purpose)
    if (!key) {
      key = Buffer.from(hkdfSync('sha256', this.#secret, '', `rookery: ${purpose}`, 32))
      this.#keys.set(purpose, key)
    }
    return key
  }
}

const algorithm = 'aes-256-gcm'
/** How the bytes are laid out: this one, the nonce, the encrypted text, the tag. */
const version = 1
const nonceBytes = 12
const tagBytes = 16

function additionalData(row: RowKey): Buffer {
  return Buffer.from(JSON.stringify(row))
}
