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
import type { ExportView } from './exports.ts'

const all = testServer()

const stage = async () => sayingStage(await all.organization())

async function exportsSeenBy(who: Person): Promise<ExportView[]> {
  return (await who.get('/export/realm')).body.exports
}

async function made(who: Person, export_type = 1): Promise<ExportView> {
  const { id } = (await who.post('/export/realm', { export_type })).body
  const current = async () => (await exportsSeenBy(who)).find((one) => one.id === id)!
  await expect.poll(async () => (await current()).pending).toBe(false)
  return current()
}

async function consent(who: Person) {
  await who.patch('/settings', { allow_private_data_export: true })
}

describe("exports of the organization's data", () => {
  test('are created, reported to administrators only, and can be downloaded by them', async () => {
    const { org, admin, ann } = await stage()
    const [owner, member] = [
      await org.owner.register({ event_types: ['realm_export'] }),
      await ann.register({ event_types: ['realm_export', 'realm_user'] }),
    ]
    expect(await exportsSeenBy(admin)).toEqual([])
    const done = await made(admin)
    expect(done).toMatchObject({
      acting_user_id: admin.id,
      export_type: 1,
      pending: false,
      failed_timestamp: null,
      deleted_timestamp: null,
    })
    const [begun, ended] = await owner.next()
    expect(begun).toMatchObject({
      type: 'realm_export',
      exports: [{ id: done.id, pending: true, export_url: null }],
    })
    expect(ended).toMatchObject({ type: 'realm_export', exports: [done] })
    await org.owner.patch(`/users/${ann.id}`, { full_name: 'Annabel' })
    expect(await member.next()).toMatchObject([{ type: 'realm_user' }])
    for (const administrator of [admin, org.owner]) {
      const answer = await download(administrator, done.export_url!)
      expect(answer.status).toBe(200)
      expect(answer.headers['content-disposition']).toContain('attachment')
    }
    expect((await download(ann, done.export_url!)).status).toBe(404)
    expect((await download(org.visitor, done.export_url!)).status).toBe(401)
    const other = await all.organization()
    expect((await download(other.owner, done.export_url!)).status).toBe(404)
  })

  test('only administrators see and request them', async () => {
    const { ann } = await stage()
    const refused = { msg: 'Must be an organization administrator', code: 'UNAUTHORIZED_PRINCIPAL' }
    expect((await ann.get('/export/realm')).body).toMatchObject(refused)
    expect((await ann.get('/export/realm/consents')).body).toMatchObject(refused)
    expect((await ann.post('/export/realm')).body).toMatchObject(refused)
    expect((await ann.delete('/export/realm/1')).body).toMatchObject(refused)
  })

  test('can be deleted, which removes the file and keeps the entry', async () => {
    const { org, admin } = await stage()
    const { id, export_url } = await made(admin)
    const owner = await org.owner.register({ event_types: ['realm_export'] })
    expect((await admin.delete(`/export/realm/${id}`)).status).toBe(200)
    const [event] = await owner.next()
    expect(event).toMatchObject({ exports: [{ id, export_url: null, pending: false }] })
    expect(event).toMatchObject({ exports: [{ deleted_timestamp: expect.any(Number) }] })
    expect((await download(admin, export_url!)).status).toBe(404)
    await expect.poll(() => storedExports(all, org)).toEqual([])
    expect((await admin.delete(`/export/realm/${id}`)).body.msg).toBe('Export already deleted')
    expect((await admin.delete('/export/realm/999')).body).toMatchObject({
      msg: 'Invalid data export ID',
      code: 'BAD_REQUEST',
    })
  })

  test('are limited to five a week, and to the existing types', async () => {
    const { admin } = await stage()
    expect((await admin.post('/export/realm', { export_type: 3 })).body.msg).toBe('Invalid export_type')
    for (let i = 0; i < 5; i++) expect((await admin.post('/export/realm')).status).toBe(200)
    expect((await admin.post('/export/realm')).body.msg).toBe('Exceeded rate limit.')
    all.pass(7 * 86_400 + 1)
    expect((await admin.post('/export/realm')).status).toBe(200)
  })

  test('list the users who consent', async () => {
    const { org, admin, ann, ben } = await stage()
    await consent(ann)
    const { export_consents } = (await admin.get('/export/realm/consents')).body
    expect(export_consents).toHaveLength(4)
    for (const who of [org.owner, admin, ann, ben]) {
      expect(export_consents).toContainEqual({ user_id: who.id, consented: who === ann })
    }
  })

  test('of public data contain nothing private and no credentials', async () => {
    const { org, admin, ann, ben, tea, say } = await stage()
    await ben.patch('/settings', { email_address_visibility: 4 })
    const hidden = await org.channel({ name: 'hidden place', subscribers: [ann], isPrivate: true })
    await say(ann, tea.id, 'said in public')
    await say(ann, hidden.id, 'said in private')
    await say(ann, [ben.id], 'said to one')
    await ann.post('/drafts', { drafts: [{ type: 'stream', to: [tea.id], topic: 'x', content: 'not sent' }] })
    await sendFiles(ann, 'POST', '/user_uploads', [{ name: 'a.txt', content: Buffer.from('of nobody') }])
    const files = await filesAt(admin, (await made(admin)).export_url!)
    const whole = wholeText(files)
    expect(rowsAt(files, 'message').map(({ content }) => content)).toEqual(['said in public'])
    expect(whole).not.toMatch(/said in private|said to one|hidden place|not sent|of nobody/)
    expect(whole).toContain(ann.email)
    expect(whole).not.toContain(ben.email)
    expect(whole).not.toContain('$argon2')
    expect(Object.keys(files)).not.toContain('tables/api_key.ndjson')
    expect(rowsAt(files, 'upload_store')[0]).not.toHaveProperty('url_key')
  })

  test('with consent contain exactly the messages that consenting users may read', async () => {
    const { org, admin, ann, ben, tea, say } = await stage()
    const cat = await org.person()
    const shared = await org.channel({ name: 'shared', subscribers: [ann, cat], isPrivate: true })
    const foreign = await org.channel({ name: 'foreign', subscribers: [ben, cat], isPrivate: true })
    await say(cat, tea.id, 'in public')
    await say(cat, shared.id, 'among us')
    await say(cat, foreign.id, 'among others')
    await say(cat, [ann.id], 'cat to ann')
    await say(cat, [ben.id], 'cat to ben')
    for (const who of [ann, cat]) {
      await who.post('/drafts', {
        drafts: [{ type: 'stream', to: [tea.id], topic: 'x', content: `draft of ${who.name}` }],
      })
    }
    await consent(ann)
    const files = await filesAt(admin, (await made(admin, 2)).export_url!)
    const contents = rowsAt(files, 'message').map(({ content }) => content)
    expect(contents).toEqual(['in public', 'among us', 'cat to ann'])
    expect(rowsAt(files, 'draft').map(({ content }) => content)).toEqual([`draft of ${ann.name}`])
    expect(wholeText(files)).not.toMatch(/foreign|\$argon2/)
  })

  test('contain earlier versions of messages only where users may see them', async () => {
    const { org, admin, ann, tea, say } = await stage()
    const id = await say(ann, tea.id, 'first words')
    await ann.patch(`/messages/${id}`, { content: 'second words' })
    const shown = await filesAt(admin, (await made(admin)).export_url!)
    expect(wholeText(shown)).toContain('first words')
    await org.owner.patch('/realm', { message_edit_history_visibility_policy: 'moves' })
    const hidden = wholeText(await filesAt(admin, (await made(admin)).export_url!))
    expect([hidden.includes('first words'), hidden.includes('second words')]).toEqual([false, true])
  })

  test('of protected history contain the messages sent while the consenting users were subscribed', async () => {
    const { org, admin, ann, say } = await stage()
    const cat = await org.person()
    const room = await org.channel({ name: 'room', subscribers: [cat], creator: cat, isPrivate: true })
    await say(cat, room.id, 'before ann')
    const principals = [ann.id]
    await cat.post('/users/me/subscriptions', { subscriptions: [{ name: 'room' }], principals })
    await say(cat, room.id, 'with ann')
    await consent(ann)
    const files = await filesAt(admin, (await made(admin, 2)).export_url!)
    const contents = rowsAt(files, 'message').map(({ content }) => content)
    expect(contents).toContain('with ann')
    expect(contents).not.toContain('before ann')
  })

  test('have their file once, complete', async () => {
    const { org, admin } = await stage()
    const { export_url } = await made(admin)
    const files = await filesAt(admin, export_url!)
    const manifest = JSON.parse(files['manifest.json']!)
    expect(manifest).toMatchObject({
      format: 'rookery-export',
      scope: 'public',
      organization: { id: org.id },
    })
    for (const { name, rows, bytes } of manifest.tables) {
      expect([name, rowsAt(files, name).length]).toEqual([name, rows])
      expect([name, Buffer.byteLength(files[`tables/${name}.ndjson`]!)]).toEqual([name, bytes])
    }
    expect(JSON.parse(files['end.json']!)).toEqual({ files: 0, bytes: 0 })
    expect(await storedExports(all, org)).toHaveLength(1)
  })
})
