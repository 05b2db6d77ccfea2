import { afterEach, expect, test, vi } from 'vitest'
import { onDatabase } from '../../../../test/on-database.ts'
import { png, sendFiles } from '../../../../test/pictures.ts'
import { pathsIn } from '../../../../test/stored-files.ts'
import { testServer } from '../../../../test/test-server.ts'
import { storedFileLimits } from '../../organization/kernel/stored-files/limits.ts'

const server = testServer()

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
