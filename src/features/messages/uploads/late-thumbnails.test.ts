import { afterEach, expect, test, vi } from 'vitest'
import { sender } from '../../../../test/messages.ts'
import { onDatabase } from '../../../../test/on-database.ts'
import { png, sendFiles } from '../../../../test/pictures.ts'
import { pathsIn } from '../../../../test/stored-files.ts'
import { testServer } from '../../../../test/test-server.ts'
import { withResolvers } from '../../../../test/with-resolvers.ts'
import { storedFileLimits } from '../../organization/kernel/stored-files/limits.ts'
import { uploadLimits } from './limits.ts'

const server = testServer()

const isWaiting = (html: string) => html.includes('image-loading-placeholder')

afterEach(() => vi.restoreAllMocks())

/** Uploads a picture that is deleted, with its files, just before its thumbnail is stored. `then` runs when that is stored. */
async function deletedWhileDrawn(then: () => void = () => {}) {
  const org = await server.organization()
  const stored = async () => {
    return pathsIn(server.adapters.files, `${org.id}/`)
  }
  const { files } = server.adapters
  const put = files.put.bind(files)
  let isGone = false
  vi.spyOn(files, 'put').mockImplementation(async (...args) => {
    const { attachments } = (await org.owner.get('/attachments')).body
    expect((await org.owner.delete(`/attachments/${attachments[0].id}`)).status).toBe(200)
    await expect.poll(() => onDatabase(server.databaseUrl, 'SELECT FROM attachment')).toEqual([])
    expect(await stored()).toEqual([])
    isGone = true
    const size = await put(...args)
    then()
    return size
  })
  // It is too large for its thumbnail to be drawn immediately.
  const picture = await png(2000, 1500)
  expect((await sendFiles(org.owner, 'POST', '/user_uploads', [{ content: picture }])).status).toBe(200)
  await expect.poll(() => isGone).toBe(true)
  await server.workOff()
  return stored
}

test('nothing is left of a picture that is deleted while its thumbnail is drawn', async () => {
  const stored = await deletedWhileDrawn()
  expect(await stored()).toEqual([])
})

test('a thumbnail whose drawing fails after the picture was deleted does not stay', async () => {
  const stored = await deletedWhileDrawn(() => {
    throw new Error('The disk is full.')
  })
  expect(await stored()).toHaveLength(1)
  server.pass(storedFileLimits.unrecordedFileSeconds)
  await server.workOff()
  expect(await stored()).toEqual([])
})

test('a picture that very many messages show comes to them in steps, between which others write', async () => {
  const org = await server.organization()
  const channel = await org.channel({ subscribers: [org.owner] })
  const { files } = server.adapters
  const put = files.put.bind(files)
  const held = withResolvers()
  vi.spyOn(files, 'put').mockImplementation(async (...args) => {
    await held.promise
    return put(...args)
  })
  // It is too large for its thumbnail to be drawn immediately.
  const { body } = await sendFiles(org.owner, 'POST', '/user_uploads', [{ content: await png(2000, 1500) }])
  const send = sender(org.owner, channel)
  const count = 2 * uploadLimits.shownPerStep + 1
  const contents = async () => {
    const params = { anchor: 'newest', num_before: count, num_after: 0 }
    const { messages } = (await org.owner.get('/messages', params)).body
    return messages
      .map(({ content }: { content: string }) => content)
      .filter((one: string) => one.includes('<img'))
  }
  for (let i = 0; i < count; i++) await send('pictures', `[a](${body.url})`)
  expect((await contents()).filter(isWaiting)).toHaveLength(count)
  held.resolve()
  await server.workOff()
  const shown = await contents()
  expect([shown.length, shown.filter(isWaiting).length]).toEqual([count, 0])
  const steps = await onDatabase(
    server.databaseUrl,
    `SELECT DISTINCT stamp FROM event_log WHERE realm_id = ${org.id} AND type = 'update_message'`,
  )
  expect(steps).toHaveLength(3)
})
