import { expect, test, vi } from 'vitest'
import { onDatabase } from '../../../../test/on-database.ts'
import { png, sendFiles } from '../../../../test/pictures.ts'
import { testServer } from '../../../../test/test-server.ts'

const server = testServer()

test('nothing is left of a picture that is deleted while its thumbnail is drawn', async () => {
  const org = await server.organization()
  const stored = async () => {
    const paths: string[] = []
    for await (const path of server.adapters.files.list(`${org.id}/`)) paths.push(path)
    return paths
  }
  const { files } = server.adapters
  const put = files.put.bind(files)
  let isGone = false
  const putting = vi.spyOn(files, 'put').mockImplementation(async (...args) => {
    const { attachments } = (await org.owner.get('/attachments')).body
    expect((await org.owner.delete(`/attachments/${attachments[0].id}`)).status).toBe(200)
    await expect.poll(() => onDatabase(server.databaseUrl, 'SELECT FROM attachment')).toEqual([])
    expect(await stored()).toEqual([])
    isGone = true
    return put(...args)
  })
  // It is too large for its thumbnail to be drawn immediately.
  const picture = await png(2000, 1500)
  expect((await sendFiles(org.owner, 'POST', '/user_uploads', [{ content: picture }])).status).toBe(200)
  await expect.poll(() => isGone).toBe(true)
  putting.mockRestore()
  await server.workOff()
  expect(await stored()).toEqual([])
})
