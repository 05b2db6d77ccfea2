import { Readable } from 'node:stream'
import type { SafeFetch } from '../../../adapters/safe-fetch.ts'
import type { AccountRow } from '../../../db/schema.ts'
import { optionalUser } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { pathRest, pathText } from '../../../http/params.ts'
import { FileAnswer } from '../../../http/responses/answer-kinds.ts'
import { ApiError, tooManyRequests } from '../../../lib/api-error.ts'
import { FairSemaphore, type SemaphoreCaller, slotError } from '../../../lib/async/fair-semaphore.ts'
import { byteChunks } from '../../../lib/byte-chunks.ts'
import { memoizePer } from '../../../lib/collections/memoize-per.ts'
import { guard, ignore } from '../../../lib/guard.ts'
import { networkOf } from '../../../lib/network/network-of.ts'
import type { Site } from '../../../lib/site.ts'
import { bucketsPerNode } from '../../../lib/token-bucket.ts'
import { externalTarget } from '../kernel/uploads/external-content.ts'
import { contentTypeOf, headLength, isPictureOrVideo } from './content-types.ts'
import { uploadLimits } from './limits.ts'

/** Proxies external pictures. The external server sees this server and not the reader of the message. */
export const getExternalContent = query('GET /external_content/{digest}/{address}', {
  summary: 'Download an external image or video through the proxy',
  root: true,
  // Not counted by the API rate limit: a single page may show a hundred pictures.
  unlimited: true,
  access: optionalUser,
  params: { digest: pathText(), address: pathRest() },
  returns: {},
  async handle({ realm, me, params, read, site, adapters, request }) {
    const place = networkOf(request.ip)
    const { allowed, wait } = requests(site).take(place)
    if (!allowed) throw tooManyRequests(wait)
    const url = await externalTarget(read, realm, params.digest, params.address)
    if (!url) throw notHere()
    const gone = request.gone()
    // From here on, the limits of these transfers hold.
    request.releasePlace()
    await turn(site, me ? memberCaller(me) : strangerFrom(place), gone)
    const content = await fetchPicture(adapters.fetch, url, gone)
    const contentType = await contentTypeOf(content.subarray(0, headLength))
    if (!isPictureOrVideo(contentType)) throw notHere()
    const open = async (range = { start: 0, end: content.length }) => ({
      size: content.length,
      content: streamOf(content.subarray(range.start, range.end + 1)),
    })
    return new FileAnswer(open, {
      contentType,
      size: content.length,
      disposition: 'inline',
      cacheControl: 'public, max-age=86400',
    })
  },
})

/** The number of requests per minute from one network, which may be a whole office. */
const requests = bucketsPerNode('external content', 600, 60)

/** Limits concurrent transfers on a node and per caller, because a single browser starts many. */
const turns = memoizePer<Site, FairSemaphore>(() => {
  const room = { most: uploadLimits.externalContentWaiting, each: uploadLimits.externalContentWaitingEach }
  return new FairSemaphore(uploadLimits.concurrentExternalContent, 6, room)
})

function memberCaller(me: AccountRow): SemaphoreCaller {
  return { group: String(me.realm_id), name: String(me.id) }
}

/**
 * Returns the semaphore caller for anonymous requests. Anonymous callers can have any number of addresses, so half of
 * the capacity is reserved for users.
 */
function strangerFrom(place: string): SemaphoreCaller {
  return { group: 'not logged in', name: place, groupMost: uploadLimits.concurrentExternalContent / 2 }
}

/**
 * Acquires the semaphore until the whole response has been sent or the client has disconnected, because the content
 * stays in memory for that time. Throws 503, or 429 if too many requests of the caller wait.
 */
async function turn(site: Site, caller: SemaphoreCaller, gone: AbortSignal) {
  const end = await turns(site)
    .take(caller, uploadLimits.externalContentWaitSeconds, gone)
    .catch((error) => {
      throw slotError(error, 'Too many pictures are being fetched.')
    })
  if (gone.aborted) end()
  else gone.addEventListener('abort', guard(ignore, end))
}

async function fetchPicture(fetch: SafeFetch, url: URL, signal: AbortSignal): Promise<Buffer> {
  const answer = await fetch(url, {
    headers: { accept: 'image/*, video/*' },
    timeoutMs: uploadLimits.externalContentSeconds * 1000,
    maxBytes: uploadLimits.externalContentMib * 1024 * 1024,
    redirects: 3,
    signal,
  }).catch(() => undefined)
  if (answer?.status !== 200) throw notHere()
  return answer.body
}

/**
 * Returns a stream that breaks off when its time is over. A client that reads very slowly would otherwise block others.
 */
function streamOf(content: Buffer): Readable {
  const stream = Readable.from(byteChunks(content))
  const seconds = uploadLimits.externalReadSeconds + content.length / uploadLimits.externalReadRate
  const timer = setTimeout(
    guard(ignore, () => stream.destroy()),
    seconds * 1000,
  )
  const stop = guard(ignore, () => clearTimeout(timer))
  return stream.once('close', stop)
}

function notHere() {
  return new ApiError('There is no picture to show here.', 'NOT_FOUND', 404)
}
