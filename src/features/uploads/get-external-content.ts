import { Readable } from 'node:stream'
import { anyone } from '../../http/access.ts'
import { FileAnswer } from '../../http/answers.ts'
import { query } from '../../http/endpoint.ts'
import { pathRest, pathText } from '../../http/params.ts'
import { ApiError, notReady } from '../../lib/api-error.ts'
import { limits } from '../../lib/limits.ts'
import type { SafeFetch } from '../../lib/safe-fetch.ts'
import { contentTypeOf, headLength, isPictureOrVideo } from './content-types.ts'
import { externalTarget } from './external-content.ts'

/** Whoever reads a message with a picture from elsewhere is not seen there: it is this server that asks for it. */
export const getExternalContent = query('GET /external_content/{digest}/{address}', {
  summary: 'Get a picture or a video from elsewhere that a message shows',
  root: true,
  unlimited: true,
  access: anyone,
  params: { digest: pathText(), address: pathRest() },
  returns: {},
  async handle({ realm, params, read, outside, request }) {
    const url = await externalTarget(read, realm, params.digest, params.address)
    if (!url) throw notHere()
    const content = await inTurn(() => fetched(outside.fetch, url, request.gone()))
    const contentType = await contentTypeOf(content.subarray(0, headLength))
    if (!isPictureOrVideo(contentType)) throw notHere()
    const open = async (range = { start: 0, end: content.length }) => ({
      size: content.length,
      content: Readable.from([content.subarray(range.start, range.end + 1)]),
    })
    return new FileAnswer(open, {
      contentType,
      size: content.length,
      disposition: 'inline',
      cacheControl: 'public, max-age=86400',
    })
  },
})

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

let underWay = 0

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (underWay >= limits.externalContentAtOnce) throw notReady('Too many pictures are being fetched.')
  underWay += 1
  return work().finally(() => {
    underWay -= 1
  })
}

function notHere() {
  return new ApiError('There is no picture to show here.', 'NOT_FOUND', 404)
}
