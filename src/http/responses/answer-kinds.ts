import type { ByteRange, StoredFile } from '../../adapters/files/file-store.ts'
import type { Chunk } from '../../lib/gzip/gzip-chunks.ts'
import type { Html } from '../../lib/text/html.ts'

/** A successful response whose JSON exists already: the text of an object, without result and msg. */
export class JsonAnswer {
  readonly fields: Chunk[]

  /** `fields`: the text between the braces, e.g. `"events":[]`. */
  constructor(...fields: Chunk[]) {
    this.fields = fields
  }
}

/** The connection of a streamed response. */
type OpenStream = {
  /** Returns false if no more should be written before the client has read this. */
  write(text: string): boolean
  /** Calls `go` once more may be written. */
  whenDrained(go: () => void): void
  end(): void
  /** Ends it, and logs the error if it is unexpected. */
  fail(error: Error): void
}

/** A streamed response, which `begin` writes and ends. */
export class StreamAnswer {
  readonly contentType: string
  readonly begin: (to: OpenStream) => void

  constructor(contentType: string, begin: (to: OpenStream) => void) {
    this.contentType = contentType
    this.begin = begin
  }
}

/** A cookie to set. All are HttpOnly and SameSite=Lax. */
export type Cookie = {
  name: string
  value: string
  /** How long browsers keep it; 0 removes it. */
  seconds: number
  /** Whether browsers send it over https only; true if the public address is https. */
  secure: boolean
  /** Whether the page's own scripts may read it. */
  isReadable?: true
  /** Below which path it is sent; everywhere by default. */
  path?: string
  /** The host below which it is sent as well; by default it is sent only to the host that set it. */
  domain?: string | undefined
}

/**
 * A response that comes later. Until then, the operation has ended, and little more than the connection of the waiting client stays in
 * memory.
 */
export class LaterAnswer {
  private make: (() => object) | undefined
  private send: ((make: () => object) => void) | undefined

  /** Sends what `make` returns, or the error that it throws. */
  complete(make: () => object) {
    this.make = make
    this.send?.(make)
  }

  fail(error: Error) {
    this.complete(() => {
      throw error
    })
  }

  /** Calls `send` when the response can be made. */
  sendBy(send: (make: () => object) => void) {
    this.send = send
    if (this.make) send(this.make)
  }
}

/** Redirects a browser to a GET. Only to addresses that are our own or a client's; the caller checks. */
export class RedirectAnswer {
  readonly url: string
  readonly status: number
  readonly cookies: Cookie[]

  /** `status`: 303 tells the browser to continue with GET whatever the request was; 302 is what clients expect after a GET. */
  constructor(url: string, { status = 303, cookies = [] }: { status?: 302 | 303; cookies?: Cookie[] } = {}) {
    this.url = url
    this.status = status
    this.cookies = cookies
  }
}

/** Redirects a browser to the sign-in page, and from there on to `next`: a path with its query. */
export function loginRedirect(next: string, status: 302 | 303 = 303): RedirectAnswer {
  return new RedirectAnswer(`/login?next=${encodeURIComponent(next)}`, { status })
}

type PageOptions = {
  status?: number
  cookies?: Cookie[]
  /** The content security policy of a page that needs more than the strict one, which allows no script and nothing from other sites. */
  policy?: string
}

/** A page for people. */
export class PageAnswer {
  readonly html: Html
  readonly status: number
  readonly cookies: Cookie[]
  readonly policy: string | undefined

  constructor(html: Html, { status = 200, cookies = [], policy }: PageOptions = {}) {
    this.html = html
    this.status = status
    this.cookies = cookies
    this.policy = policy
  }
}

/** The fields of a successful JSON answer, with cookies to set. */
export class CookieAnswer {
  readonly fields: object
  readonly cookies: Cookie[]

  constructor(fields: object, cookies: Cookie[]) {
    this.fields = fields
    this.cookies = cookies
  }
}

/** A response of another protocol than this API: a status, headers, and the fields of a JSON body, or no body. */
export class ProtocolAnswer {
  readonly status: number
  readonly headers: Record<string, string>
  readonly fields: object | undefined

  constructor(status: number, headers: Record<string, string>, fields?: object) {
    this.status = status
    this.headers = headers
    this.fields = fields
  }
}

/** How a file is sent, and how browsers treat it. */
export type FileInfo = {
  contentType: string
  /** Bytes of the whole, if known; otherwise the store is asked. */
  size?: number | undefined
  /** Saved under this name rather than shown, or shown in the page that requests it. */
  disposition: { saveAs: string } | 'inline'
  /** Says who may cache it, and for how long; by default the reader's browser, which revalidates each time. */
  cacheControl?: string
  /** Names this content: a client that has it under the same name does not receive it again. No quotes. */
  etag?: string
}

/** A file of the store, or the requested range of it. 404 if the store no longer has it. */
export class FileAnswer {
  readonly info: FileInfo
  readonly open: (range?: ByteRange) => Promise<StoredFile | undefined>

  constructor(open: (range?: ByteRange) => Promise<StoredFile | undefined>, info: FileInfo) {
    this.open = open
    this.info = info
  }
}
