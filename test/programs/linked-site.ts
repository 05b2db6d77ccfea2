import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeEach } from 'vitest'
import { atEndOfFile } from '../runner/end-of-file.ts'

export type LinkedPage = { type?: string; status?: number; body: string | Buffer }

/** A site elsewhere, whose pages messages link to. Each test begins with none. */
type LinkedSite = {
  url: string
  /** Its pages, by path; others are not found. */
  pages: Map<string, LinkedPage>
  /** The requests that it got, in order. */
  asked: { path: string; headers: Record<string, unknown> }[]
  /** Called before a page is returned. */
  beforeAnswer: () => Promise<void>
  /** Puts a page there, and returns its address. */
  page(path: string, head: string, more?: Omit<LinkedPage, 'body'>): string
  /** Lets no page be answered until the returned function is called. */
  hold(): () => void
}

export async function linkedSite(): Promise<LinkedSite> {
  const site: LinkedSite = {
    url: '',
    pages: new Map(),
    asked: [],
    beforeAnswer: async () => {},
    page(path, head, more = {}) {
      const body = `<!doctype html><html><head>${head}</head><body><p>text</p></body></html>`
      site.pages.set(path, { body, ...more })
      return `${site.url}${path}`
    },
    hold() {
      let release = () => {}
      const held = new Promise<void>((resolve) => {
        release = resolve
      })
      site.beforeAnswer = () => held
      return release
    },
  }
  const answer: RequestListener = async (request, response) => {
    site.asked.push({ path: request.url!, headers: request.headers })
    await site.beforeAnswer()
    const {
      type = 'text/html',
      status = 200,
      body,
    } = site.pages.get(request.url!) ?? { status: 404, body: '' }
    response.writeHead(status, { 'content-type': type, location: '/landed' }).end(body)
  }
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEndOfFile(() => void server.close())
  site.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  beforeEach(() => {
    site.pages.clear()
    site.asked = []
    site.beforeAnswer = async () => {}
  })
  return site
}
