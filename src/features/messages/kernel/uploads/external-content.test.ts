import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../../../../test/person.ts'
import { look, png } from '../../../../../test/pictures.ts'
import { testServer } from '../../../../../test/test-server.ts'
import { safeFetch } from '../../../../adapters/safe-fetch.ts'
import { uploadLimits } from '../../uploads/limits.ts'

const all = testServer({ trustProxy: true, adapters: { fetch: safeFetch({ mayReach: () => true }) } })
let server: Server
let asked: { path: string; credentials: string | undefined }[] = []
let elsewhere: string

/** More than the network buffers hold between the server and a client that does not read. */
const largeSize = 10 * 1024 * 1024

/** The number of concurrent transfers for one network. */
const atOncePerPlace = 6

beforeAll(async () => {
  const picture = await png(30, 20)
  // The proxy checks only the head of a picture.
  const large = Buffer.concat([picture, Buffer.alloc(largeSize - picture.length)])
  server = createServer((request, response) => {
    asked.push({ path: request.url!, credentials: request.headers.cookie ?? request.headers.authorization })
    const page = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'
    response.setHeader('content-type', 'image/png')
    if (request.url!.startsWith('/slow')) return
    if (request.url!.startsWith('/large')) return response.end(large)
    response.end(request.url!.startsWith('/real') ? picture : page)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  elsewhere = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(() => {
  server.closeAllConnections()
  server.close()
})

async function previewOf(url: string) {
  const org = await all.organization()
  return { org, ...(await shownTo(org.owner, url)) }
}

async function shownTo(who: Caller, url: string) {
  const { body } = await who.post('/messages/render', { content: `[it](${url})` })
  const [, src = ''] = /<img src="([^"]+)"/.exec(body.rendered) ?? []
  return { src, html: body.rendered as string }
}

test('proxies external pictures without revealing the reader', async () => {
  const url = `${elsewhere}/real/a.png`
  const { org, src, html } = await previewOf(url)
  expect(html).toBe(
    `<p><a href="${url}">it</a></p>\n<div class="message_inline_image"><a href="${url}" title="it"><img src="${src}"></a></div>`,
  )
  expect(src).toMatch(/^\/external_content\/[0-9a-f]{40}\/[0-9a-f]+$/)
  asked = []
  expect(await look(org.owner, src)).toMatchObject({ status: 200, type: 'image/png', width: 30, height: 20 })
  expect(await look(org.visitor, src)).toMatchObject({ status: 200 })
  expect(asked.map(({ credentials }) => credentials)).toEqual([undefined, undefined])
})

test('requests only addresses that occur in messages, and passes only pictures on', async () => {
  const { org, src } = await previewOf(`${elsewhere}/real/a.png`)
  const other = Buffer.from(`${elsewhere}/real/b.png`).toString('hex')
  asked = []
  expect((await look(org.visitor, src.replace(/[^/]+$/, other))).status).toBe(404)
  const foreign = await all.organization()
  expect((await look(foreign.visitor, src)).status).toBe(404)
  expect(asked).toEqual([])
  const fake = await previewOf(`${elsewhere}/fake/a.png`)
  expect((await look(fake.org.visitor, fake.src)).status).toBe(404)
})

test('an organization without previews has no proxied pictures', async () => {
  const org = await all.organization()
  await org.owner.patch('/realm', { inline_image_preview: false })
  const { body } = await org.owner.post('/messages/render', { content: `${elsewhere}/real/a.png` })
  expect(body.rendered).not.toContain('<img')
})

test('an address with a differently spelled signature returns an error', async () => {
  const { visitor } = await all.organization()
  expect((await look(visitor, `/external_content/${encodeURIComponent('é'.repeat(40))}/00`)).status).toBe(404)
})

test('a page full of pictures gets all of them', async () => {
  const { org, src } = await previewOf(`${elsewhere}/real/a.png`)
  const answers = await Promise.all(Array.from({ length: 100 }, () => from('203.0.113.7', org.visitor, src)))
  expect(answers.map(({ status }) => status)).toEqual(Array(100).fill(200))
})

test('requests above the rate limit get 429', async () => {
  const { visitor } = await all.organization()
  const ask = (address: string) => from(address, visitor, '/external_content/made/up')
  const asked = await Promise.all(Array.from({ length: 1_000 }, () => ask('203.0.113.8')))
  const allowed = asked.filter(({ status }) => status === 404)
  expect(allowed.length).toBeGreaterThan(500)
  expect(asked.filter(({ status }) => status === 429).length).toBe(1_000 - allowed.length)
  expect(allowed.length).toBeLessThan(1_000)
  expect((await ask('203.0.113.9')).status).toBe(404)
})

test('servers that keep one network waiting do not block other networks', async () => {
  const { org, src } = await previewOf(`${elsewhere}/real/a.png`)
  const slow = await shownTo(org.owner, `${elsewhere}/slow/one-network.png`)
  const requests = Array.from({ length: 40 }, () => unread('198.51.100.1', org.visitor, slow.src))
  await expect.poll(() => timesAsked('/slow/one-network.png')).toBe(atOncePerPlace)
  expect((await from('203.0.113.10', org.visitor, src)).status).toBe(200)
  expect(timesAsked('/slow/one-network.png')).toBe(atOncePerPlace)
  for (const { leave } of requests) leave()
})

test('anonymous users on many networks do not block users of the organization', async () => {
  const { org, src } = await previewOf(`${elsewhere}/real/a.png`)
  const slow = await shownTo(org.owner, `${elsewhere}/slow/networks.png`)
  const networks = Array.from({ length: 5 }, (_, i) => `198.51.101.${i}`)
  const requests = networks.flatMap((address) =>
    Array.from({ length: 2 * atOncePerPlace }, () => unread(address, org.visitor, slow.src)),
  )
  await expect.poll(() => timesAsked('/slow/networks.png')).toBe(uploadLimits.concurrentExternalContent / 2)
  expect((await from(networks[0]!, org.owner, src)).status).toBe(200)
  expect(requests.filter(({ answer }) => answer)).toEqual([])
  for (const { leave } of requests) leave()
})

test('the server stops fetching for a client that does not read, until the client disconnects', async () => {
  const { org, src } = await previewOf(`${elsewhere}/large/a.png`)
  const requests = Array.from({ length: 40 }, () => unread('198.51.100.2', org.visitor, src))
  const answered = () => requests.filter(({ answer }) => answer)
  await expect.poll(answered).toHaveLength(atOncePerPlace)
  expect(timesAsked('/large/a.png')).toBe(atOncePerPlace)
  answered()[0]!.leave()
  await expect.poll(() => timesAsked('/large/a.png')).toBe(atOncePerPlace + 1)
  for (const { leave } of requests) leave()
  expect((await from('198.51.100.2', org.visitor, src)).bytes).toHaveLength(largeSize)
})

/** The number of requests for a picture. Those of an earlier test may still come when its clients have left. */
function timesAsked(path: string) {
  return asked.filter((one) => one.path === path).length
}

/** Sends a request from an address that a proxy reports. */
function from(address: string, who: Caller, path: string) {
  return who.raw({ method: 'GET', path, headers: { 'x-forwarded-for': address } })
}

/** Sends the same request on a connection of its own, without reading the response. */
function unread(address: string, { place }: Caller, path: string) {
  const headers = { host: place.host, 'x-forwarded-for': address }
  const request = get({ agent: false, host: '127.0.0.1', port: place.port, path, headers })
  const asking = { answer: undefined as IncomingMessage | undefined, leave: () => request.destroy() }
  request.on('error', () => {})
  request.on('response', (answer) => {
    asking.answer = answer.on('error', () => {})
  })
  return asking
}
