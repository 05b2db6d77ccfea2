import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { look, png } from '../../../test/pictures.ts'
import { world } from '../../../test/world.ts'
import { safeFetch } from '../../lib/safe-fetch.ts'

const all = world({ outside: { fetch: safeFetch({ mayReach: () => true }) } })
let server: Server
let asked: (string | undefined)[] = []
let elsewhere: string

beforeAll(async () => {
  const picture = await png(30, 20)
  server = createServer((request, response) => {
    asked.push(request.headers.cookie ?? request.headers.authorization)
    const page = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'
    response.setHeader('content-type', 'image/png')
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
  const { body } = await org.owner.post('/messages/render', { content: `[it](${url})` })
  const [, src = ''] = /<img src="([^"]+)"/.exec(body.rendered) ?? []
  return { org, src, html: body.rendered as string }
}

test('a picture from elsewhere is passed on by this server, which tells nothing of the reader', async () => {
  const url = `${elsewhere}/real/a.png`
  const { org, src, html } = await previewOf(url)
  expect(html).toBe(
    `<p><a href="${url}">it</a></p>\n<div class="message_inline_image"><a href="${url}" title="it"><img src="${src}"></a></div>`,
  )
  expect(src).toMatch(/^\/external_content\/[0-9a-f]{40}\/[0-9a-f]+$/)
  asked = []
  expect(await look(org.owner, src)).toMatchObject({ status: 200, type: 'image/png', width: 30, height: 20 })
  expect(await look(org.visitor, src)).toMatchObject({ status: 200 })
  expect(asked).toEqual([undefined, undefined])
})

test('only addresses that messages show are asked, and only pictures come through', async () => {
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

test('an organization that wants no previews has none', async () => {
  const org = await all.organization()
  await org.owner.patch('/realm', { inline_image_preview: false })
  const { body } = await org.owner.post('/messages/render', { content: `${elsewhere}/real/a.png` })
  expect(body.rendered).not.toContain('<img')
})
