import type { MarkdownIt, StateCore, Token } from 'markdown-it'
import type { Lookup } from './lookup.ts'

/**
 * `[text](address)`, and bare `https://…` and `me@example.com`. Only http, https, mailto and relative addresses are
 * links; all else stays text. A name without `https://`, as in `example.com`, stays text too. An image is a link.
 */
export function link(md: MarkdownIt): void {
  md.validateLink = isAllowedAddress
  md.linkify.add('ftp:', null).add('//', null).set({ fuzzyLink: false, fuzzyEmail: true, urlAuth: true })
  md.core.ruler.after('linkify', 'own_links', shortenOwn)
}

/** The address of a `link_open` token. */
export function addressOf(token: Token): string {
  return String(token.attrGet('href') ?? '')
}

/** The part of an address after `/user_uploads/`, if it is an upload of this organization; decoded. */
export function uploadPath(address: string, realmUrl = ''): string | undefined {
  const own = realmUrl !== '' && address.startsWith(`${realmUrl}/`) ? address.slice(realmUrl.length) : address
  const [, path] = /^\/user_uploads\/([^?#]+)/.exec(own) ?? []
  return path === undefined ? undefined : decode(path)
}

const imageSuffix = /\.(?:avif|bmp|gif|jpe?g|png|webp)$/i

/** Whether an address names a picture, judged by its path alone. */
export function isImageAddress(address: string): boolean {
  return imageSuffix.test(address.replace(/[?#].*$/s, ''))
}

const allowedSchemes = new Set(['http', 'https', 'mailto'])

/** As a browser reads it: it ignores spaces and control characters around and within a scheme. */
function isAllowedAddress(address: string): boolean {
  const [, scheme] = /^([a-z][a-z0-9+.-]*):/i.exec(address.replace(/[\u0000-\u0020\u007f]/g, '')) ?? []
  return scheme === undefined || allowedSchemes.has(scheme.toLowerCase())
}

/** Links to a place within the client are relative, so that they work in every client, under every address. */
function shortenOwn(state: StateCore): void {
  const { realmUrl } = state.env.lookup as Lookup
  if (!realmUrl) return
  for (const token of state.tokens.flatMap((block) => block.children ?? [])) {
    if (token.type !== 'link_open') continue
    const address = addressOf(token)
    if (address.startsWith(`${realmUrl}/#`)) token.attrSet('href', address.slice(realmUrl.length + 1))
  }
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
