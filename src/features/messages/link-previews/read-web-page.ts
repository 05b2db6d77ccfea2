import { FetchError, type SafeAnswer, type SafeFetch } from '../../../adapters/safe-fetch.ts'
import { TryLater } from '../../../jobs/job.ts'
import { firstCharacters, isLonger } from '../../../lib/text/characters.ts'
import { withoutDirection } from '../../../lib/text/unprintable.ts'
import type { LinkPreview } from '../../../markdown/render.ts'
import { linkPreviewLimits } from './limits.ts'
import { readPageHead } from './page-head.ts'

type Reading = { fetch: SafeFetch; language: string; signal: AbortSignal }

/**
 * Reads a page on the internet, and returns what to show of it: what it says about itself in the terms of Open Graph, or else
 * its title and description. Returns null if it says nothing, is no page or does not exist, and undefined if it cannot be read now.
 * Throws TryLater if the node stops meanwhile.
 */
export async function readWebPage(
  address: string,
  reading: Reading,
): Promise<LinkPreview | null | undefined> {
  const answer = await fetchPage(address, reading)
  if (!answer || answer.status === 408 || answer.status === 429 || answer.status >= 500) return undefined
  const type = answer.headers.get('content-type') ?? ''
  if (answer.status !== 200 || !/^\s*(text\/html|application\/xhtml\+xml)\b/i.test(type)) return null
  const { title, meta } = await readPageHead(textOf(answer.body, type))
  const first = (...names: string[]) => names.map((name) => shown(meta.get(name) ?? '')).find(Boolean) ?? ''
  const preview = {
    title: cut(first('og:title', 'twitter:title') || shown(title), linkPreviewLimits.pageTitleLength),
    description: cut(
      first('og:description', 'twitter:description', 'description'),
      linkPreviewLimits.pageDescriptionLength,
    ),
    picture: pictureAt(first('og:image', 'og:image:url', 'twitter:image'), answer.url),
  }
  return preview.title || preview.description ? preview : null
}

async function fetchPage(
  address: string,
  { fetch, language, signal }: Reading,
): Promise<SafeAnswer | undefined> {
  try {
    return await fetch(address, {
      headers: {
        accept: 'text/html, application/xhtml+xml',
        'accept-language': language,
        'user-agent': 'Rookery-Link-Preview',
      },
      timeoutMs: linkPreviewLimits.pageSeconds * 1000,
      maxBytes: linkPreviewLimits.pageKib * 1024,
      cut: true,
      redirects: linkPreviewLimits.pageRedirects,
      signal,
    })
  } catch (error) {
    if (!(error instanceof FetchError)) throw error
    if (error.problem === 'aborted') throw new TryLater('The server stops.', 0)
    // A page that cannot be read is no fault of this server.
    return undefined
  }
}

function textOf(body: Buffer, type: string): string {
  const beginning = body.toString('latin1', 0, 1024)
  const [, label = 'utf-8'] =
    /charset\s*=\s*["']?([\w:.-]+)/i.exec(type) ??
    /<meta[^>]{0,200}charset\s*=\s*["']?([\w:.-]+)/i.exec(beginning) ??
    []
  try {
    return new TextDecoder(label).decode(body)
  } catch {
    // There is no encoding of that name.
    return body.toString()
  }
}

/** Returns the text in one line, without what cannot be printed or changes its direction; empty if nothing of it can be seen. */
function shown(text: string): string {
  const line = withoutDirection(text.toWellFormed())
    .replace(/[\s\p{Cc}\p{Cn}]+/gu, ' ')
    .trim()
  return /[^\s\p{Cf}]/u.test(line) ? line : ''
}

/** Returns the text, cut where it has more characters, in memory of its own: a piece of a text keeps all of that. */
function cut(text: string, most: number): string {
  const short = isLonger(text, most) ? `${firstCharacters(text, most).trimEnd()}…` : text
  return Buffer.from(short).toString()
}

function pictureAt(address: string, page: URL): string | undefined {
  if (address === '' || !URL.canParse(address, page.href)) return undefined
  const { protocol, href } = new URL(address, page.href)
  const isOnTheWeb = protocol === 'https:' || protocol === 'http:'
  return isOnTheWeb && href.length <= linkPreviewLimits.pagePictureLength ? href : undefined
}
