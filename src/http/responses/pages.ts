import type { IncomingMessage } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { ApiError } from '../../lib/api-error.ts'
import type { Html } from '../../lib/text/html.ts'
import type { Cookie, PageAnswer, RedirectAnswer } from './answer-kinds.ts'
import { sendChunks } from './send.ts'

/** Renders an error for a user in a browser; `accepted`: its header Accept-Language. */
export type ErrorPage = (error: ApiError, accepted: string | undefined) => Html

/**
 * Returns the content security policy of pages: no script, and nothing from other sites. `others`: hosts whose pictures are shown, and to
 * which forms may lead.
 */
export function pagePolicy(others = ''): string {
  const sources = ["'self'", ...(others ? [others] : [])].join(' ')
  return [
    "default-src 'none'",
    "style-src 'self'",
    `img-src ${sources}`,
    // A form may lead to a mobile client, which a browser counts as a target of the form.
    `form-action ${sources} zulip:`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')
}

/** The headers of pages. Only the reader's browser may store one, and the pages it links to do not learn its address. */
export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': pagePolicy(),
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
}

export function sendPage(reply: FastifyReply, { html, status, cookies, policy }: PageAnswer) {
  setCookies(reply, cookies)
  reply.code(status).headers(pageHeaders)
  if (policy !== undefined) reply.header('content-security-policy', policy)
  return sendChunks(reply, [html.text])
}

/** Redirects a browser. The address may hold a secret, so it is neither cached nor sent as a referrer. */
export function sendRedirect(reply: FastifyReply, { url, status, cookies }: RedirectAnswer) {
  setCookies(reply, cookies)
  return reply
    .code(status)
    .header('location', url)
    .header('referrer-policy', 'no-referrer')
    .header('cache-control', 'no-store')
    .send()
}

export function setCookies(reply: FastifyReply, cookies: Cookie[]) {
  for (const cookie of cookies) reply.header('set-cookie', cookieText(cookie))
}

/** Whether a request comes from a browser that wants to show a page, rather than from a program. */
export function wantsPage({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return (headers.accept ?? '').includes('text/html')
}

/** A cookie of a request; undefined if it has none of that name. */
export function cookieOf(header: string | undefined, name: string): string | undefined {
  const start = `${name}=`
  const part = header
    ?.split(';')
    .map((cookie) => cookie.trim())
    .find((cookie) => cookie.startsWith(start))
  return part?.slice(start.length)
}

function cookieText({ name, value, seconds, secure, isReadable, path = '/', domain }: Cookie) {
  const access = `${isReadable ? '' : '; HttpOnly'}; SameSite=Lax${secure ? '; Secure' : ''}`
  return `${name}=${value}; Path=${path}${domain ? `; Domain=${domain}` : ''}; Max-Age=${seconds}${access}`
}
