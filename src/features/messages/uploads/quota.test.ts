import { expect, test } from 'vitest'
import { sendFiles } from '../../../../test/pictures.ts'
import { pathsIn } from '../../../../test/stored-files.ts'
import { testServer } from '../../../../test/test-server.ts'

const all = testServer({ uploadQuotaMib: 1 })

test('rejects uploads above the organization’s quota', async () => {
  const { owner } = await all.organization()
  const upload = (size: number) =>
    sendFiles(owner, 'POST', '/user_uploads', [{ name: 'a.bin', content: Buffer.alloc(size) }])
  expect((await upload(700_000)).status).toBe(200)
  const refused = await upload(700_000)
  expect(refused.status).toBe(400)
  expect(refused.body).toMatchObject({
    msg: "Upload would exceed your organization's upload quota.",
    code: 'REALM_UPLOAD_QUOTA',
  })
  const { attachments, upload_space_used } = (await owner.get('/attachments')).body
  expect([attachments.length, upload_space_used]).toEqual([1, 700_000])
  const stored = await pathsIn(all.adapters.files)
  expect(stored).toHaveLength(1)
  await owner.delete(`/attachments/${attachments[0].id}`)
  expect((await upload(700_000)).status).toBe(200)
  expect((await owner.post('/register')).body.realm_upload_quota_mib).toBe(1)
})
