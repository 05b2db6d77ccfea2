import { Readable } from 'node:stream'
import type { SafeFetch } from '../../../adapters/safe-fetch.ts'
import type { AccountRow } from '../../../db/schema.ts'
import { knownOrNot } from '../../../http/access.ts'
import { FileAnswer } from '../../../http/answers.ts'
import { query } from '../../../http/endpoint.ts'
import { pathRest, pathText } from '../../../http/params.ts'
import { tooManyRequests } from '../../../http/rate-limits.ts'
import { ApiError, notReady } from '../../../lib/api-error.ts'
import { slicesOf } from '../../../lib/byte-chunks.ts'
import { FairSemaphore, type SemaphoreCaller } from '../../../lib/fair-semaphore.ts'
import { guard, ignore } from '../../../lib/guard.ts'
import { limits } from '../../../lib/limits.ts'
import { memoizePer } from '../../../lib/memoize-per.ts'
import { networkOf } from '../../../lib/network-of.ts'
import type { Site } from '../../../lib/site.ts'
import { bucketsPerNode } from '../../../lib/token-bucket.ts'
import { externalTarget } from '../kernel/uploads/external-content.ts'
import { contentTypeOf, headLength, isPictureOrVideo } from './content-types.ts'

/** Whoever reads a message with a picture from elsewhere is not seen there: it is this server that asks for it. */
export const getExternalContent = query('GET /external_content/{digest}/{address}', {
  summary: 'Download an external image or video through the proxy',
  root: true,
  // Besides those of the API: a single page may show a hundred of them.
  unlimited: true,
  access: knownOrNot,
  params: { digest: pathText(), address: pathRest() },
  returns: {},
  async handle({ realm, me, params, read, site, outside, request }) {
    const place = networkOf(request.ip)
    const { allowed, wait } = requests(site).take(place)
    if (!allowed) throw tooManyRequests(wait)
    const url = await externalTarget(read, realm, params.digest, params.address)
    if (!url) throw notHere()
    const gone = request.gone()
    await turn(site, me ? memberCaller(me) : strangerFrom(place), gone)
    const content = await fetched(outside.fetch, url, gone)
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

/** How many may be asked for from one place on the network, which may be a whole office, in a minute. */
const requests = bucketsPerNode(600, 60)

/** How many are passed on at the same time on a node, and to one caller, as a browser alone asks for many. */
const turns = memoizePer<Site, FairSemaphore>(() => new FairSemaphore(limits.externalContentAtOnce, 6))
const waitSeconds = 20

function memberCaller(me: AccountRow): SemaphoreCaller {
  return { group: String(me.realm_id), name: String(me.id) }
}

/** Those who are not logged in can have any number of addresses, so half of the turns are never theirs. */
function strangerFrom(place: string): SemaphoreCaller {
  return { group: 'not logged in', name: place, groupMost: limits.externalContentAtOnce / 2 }
}

/** The bytes per second of a slow connection, and the seconds that even the smallest file may take. */
const slowest = 100_000
const leastSeconds = 10

/**
 * Waits for a turn. It lasts until the whole answer has been sent or its reader has gone, as what was fetched is in memory
 * all that time. Throws 503.
 */
async function turn(site: Site, caller: SemaphoreCaller, gone: AbortSignal) {
  const end = await turns(site)
    .take(caller, waitSeconds, gone)
    .catch(() => {
      throw notReady('Too many pictures are being fetched.')
    })
  if (gone.aborted) end()
  else gone.addEventListener('abort', guard(ignore, end))
}

async function fetched(fetch: SafeFetch, url: URL, signal: AbortSignal): Promise<Buffer> {
  const answer = await fetch(url, {
    headers: { accept: 'image/*, video/*' },
    timeoutMs: limits.externalContentSeconds * 1000,
    maxBytes: limits.externalContentMib * 1024 * 1024,
    redirects: 3,
    signal,
  }).catch(() => undefined)
  if (answer?.status !== 200) throw notHere()
  return answer.body
}

/** It breaks off when its time is over: one who reads hardly anything would keep others from their turn. */
function streamOf(content: Buffer): Readable {
  const stream = Readable.from(slicesOf(content))
  const seconds = leastSeconds + content.length / slowest
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
