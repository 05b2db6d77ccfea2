import { describe, expect, test } from 'vitest'
import {
  download,
  filesAt,
  rowsAt,
  sayingStage,
  storedExports,
  wholeText,
} from '../../../../test/imports/archives.ts'
import type { Person } from '../../../../test/person.ts'
import { sendFiles } from '../../../../test/pictures.ts'
import { testServer } from '../../../../test/test-server.ts'

const all = testServer()
const stage = async () => sayingStage(await all.organization())

describe('an export of a user’s own data', () => {
  async function ownExport(who: Person) {
    await who.post('/rookery/own_exports')
    const listed = async () => (await who.get('/rookery/own_exports')).body.exports
    await expect.poll(async () => (await listed())[0].pending).toBe(false)
    return (await listed())[0]
  }

  test('contains the user’s own data, and nothing that others have written', async () => {
    const { ann, ben, tea, say } = await stage()
    await say(ann, tea.id, 'mine')
    await say(ben, tea.id, 'of another')
    await say(ben, [ann.id], 'to me')
    await sendFiles(ann, 'POST', '/user_uploads', [{ name: 'a.txt', content: Buffer.from('my file') }])
    const { url } = await ownExport(ann)
    const files = await filesAt(ann, url)
    expect(rowsAt(files, 'message').map(({ content }) => content)).toEqual(['mine'])
    expect(rowsAt(files, 'account').map(({ id }) => id)).toEqual([ann.id])
    expect(Object.values(files)).toContain('my file')
    expect(wholeText(files)).not.toMatch(/of another|to me|\$argon2/)
    expect(wholeText(files)).toContain(ann.email)
  })

  test('contains nothing of what became of channels that the user has left', async () => {
    const { org, admin, ann, say } = await stage()
    const left = await org.channel({ name: 'plans', subscribers: [admin, ann], isPrivate: true })
    const hall = await org.channel({ name: 'hall', subscribers: [admin, ann] })
    const vault = await org.channel({ name: 'vault', subscribers: [admin], isPrivate: true })
    await say(ann, left.id, 'mine')
    const moved = await say(ann, hall.id, 'also mine')
    await ann.delete('/users/me/subscriptions', { subscriptions: ['plans'] })
    await admin.patch(`/streams/${left.id}`, { new_name: 'merger', description: 'we merge' })
    await admin.patch(`/messages/${moved}`, { stream_id: vault.id, topic: 'layoffs' })
    await ann.patch('/users/me/subscriptions/muted_topics', { stream_id: hall.id, topic: 'x', op: 'add' })
    const files = await filesAt(ann, (await ownExport(ann)).url)
    const messages = rowsAt(files, 'message')
    expect(messages.map(({ content, topic }) => [content, topic])).toEqual([
      ['mine', ''],
      ['also mine', ''],
    ])
    expect(wholeText(files)).not.toMatch(/merge|vault|layoffs/)
    expect(rowsAt(files, 'channel').map(({ name }) => name)).toEqual(['tea', 'hall'])
  })

  test('is only for that user, and is deleted after a week', async () => {
    const { org, admin, ann } = await stage()
    const { url } = await ownExport(ann)
    expect((await download(ann, url)).status).toBe(200)
    expect((await download(admin, url)).status).toBe(404)
    expect((await admin.get('/export/realm')).body.exports).toEqual([])
    const { id } = (await ann.get('/rookery/own_exports')).body.exports[0]
    expect((await admin.delete(`/export/realm/${id}`)).body.msg).toBe('Invalid data export ID')
    expect((await admin.get('/rookery/own_exports')).body.exports).toEqual([])
    all.pass(7 * 86_400 + 1)
    const left = async () => (await ann.get('/rookery/own_exports')).body.exports
    await expect.poll(left).toEqual([])
    expect((await download(ann, url)).status).toBe(404)
    expect(await storedExports(all, org)).toEqual([])
  })
})
