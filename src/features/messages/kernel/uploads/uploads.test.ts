import { describe, expect, test } from 'vitest'
import { direct, sendTo } from '../../../../../test/messages.ts'
import type { Person } from '../../../../../test/person.ts'
import { png, sendFiles } from '../../../../../test/pictures.ts'
import { pathsIn } from '../../../../../test/stored-files.ts'
import { testServer } from '../../../../../test/test-server.ts'
import { uploadLimits } from '../../uploads/limits.ts'

const all = testServer()
const hello = { name: 'hello.txt', content: Buffer.from('hello world') }

/** Uploads a file. Returns the body of the response. */
async function upload(who: Person, file: { name?: string; content: Buffer } = hello) {
  const { body } = await sendFiles(who, 'POST', '/user_uploads', [file])
  expect(body).toMatchObject({ result: 'success' })
  return body as { url: string; uri: string; filename: string }
}

function fetchFile(who: Pick<Person, 'raw'>, path: string, headers: Record<string, string> = {}) {
  return who.raw({ method: 'GET', path: encodeURI(path), headers })
}

async function files() {
  return pathsIn(all.adapters.files)
}

describe('uploading', () => {
  test('a file returns its address, notifies only its owner, and lists it', async () => {
    const org = await all.organization()
    const [ann, ben] = [await org.person(), await org.person()]
    const [client, other] = [await ann.register(), await ben.register()]
    const { url, uri, filename } = await upload(ann)
    expect(url).toMatch(new RegExp(`^/user_uploads/${org.id}/[0-9a-f]{1,2}/[\\w-]{24}/hello.txt$`))
    expect({ uri, filename }).toEqual({ uri: url, filename: 'hello.txt' })
    const attachment = {
      id: expect.any(Number),
      name: 'hello.txt',
      path_id: url.slice('/user_uploads/'.length),
      size: 11,
      create_time: expect.any(Number),
      messages: [],
    }
    expect(await client.events()).toMatchObject([
      { type: 'attachment', op: 'add', attachment, upload_space_used: 11 },
    ])
    expect(await other.events()).toEqual([])
    const { body } = await ann.get('/attachments')
    expect(body).toMatchObject({ attachments: [attachment], upload_space_used: 11 })
    expect(body.attachments[0].create_time).toBeGreaterThan(1e12)
    expect((await ben.get('/attachments')).body).toMatchObject({ attachments: [], upload_space_used: 11 })
    await client.expectStateToMatch()
  })

  test.each([
    ['naïve fichier ü.txt', 'naïve fichier ü.txt', 'naïve-fichier-ü.txt'],
    ['../../etc/pass wd?.html', 'pass wd?.html', 'pass-wd.html'],
    ['?', '?', 'uploaded-file'],
    ['日本語.png', '日本語.png', '日本語.png'],
    [`${'x'.repeat(300)}.txt`, 'x'.repeat(200), `${'x'.repeat(196)}.txt`],
  ])('stores a file named %s under a safe name', async (name, shown, safe) => {
    const org = await all.organization()
    const { url, filename } = await upload(org.owner, { name, content: Buffer.from('x') })
    expect(filename).toBe(shown)
    expect(url.split('/').at(-1)).toBe(safe)
    expect((await fetchFile(org.owner, url)).text).toBe('x')
  })

  test.each([
    ['no file', [], 'You must specify a file to upload'],
    ['two files', [hello, hello], 'You may only upload one file at a time'],
  ])('rejects %s and stores nothing', async (_, sent, msg) => {
    const org = await all.organization()
    const before = await files()
    const answer = await sendFiles(org.owner, 'POST', '/user_uploads', sent)
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ result: 'error', msg, code: 'BAD_REQUEST' })
    expect(await files()).toEqual(before)
  })

  test('without a login is refused', async () => {
    const { visitor } = await all.organization()
    const answer = await sendFiles(visitor, 'POST', '/user_uploads', [hello])
    expect(answer.body).toMatchObject({ code: 'UNAUTHORIZED' })
  })

  test('rejects a file that is too large, and the connection stays usable', async () => {
    const org = await all.organization()
    const before = await files()
    const large = { name: 'large.bin', content: Buffer.alloc(uploadLimits.uploadMib * 1024 * 1024 + 1) }
    const answer = await sendFiles(org.owner, 'POST', '/user_uploads', [large])
    expect(answer.status).toBe(400)
    expect(answer.body.msg).toBe('Uploaded file is larger than the allowed limit of 100 MiB')
    expect(await files()).toEqual(before)
    expect((await org.owner.get('/attachments')).body.attachments).toEqual([])
  })

  test('a large file arrives byte for byte', async () => {
    const org = await all.organization()
    const content = Buffer.alloc(30_000_000, Buffer.from(Array.from({ length: 251 }, (_, i) => i)))
    const { url } = await upload(org.owner, { name: 'data.bin', content })
    const { bytes } = await fetchFile(org.owner, url)
    expect(bytes.equals(content)).toBe(true)
  })

  test('rejects a truncated multipart body and stores nothing', async () => {
    const org = await all.organization()
    const before = await files()
    const answer = await org.owner.raw({
      method: 'POST',
      path: '/api/v1/user_uploads',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      body: '--x\r\nContent-Disposition: form-data; name="f"; filename="a.txt"\r\n\r\nhalf a fi',
    })
    expect(answer.status).toBe(400)
    expect(await files()).toEqual(before)
  })
})

describe('fetching', () => {
  test('only the owner and the readers of a message with a link can fetch a file', async () => {
    const org = await all.organization()
    const [ann, ben, cleo] = [await org.person(), await org.person(), await org.person()]
    const channel = await org.channel({ isPrivate: true, subscribers: [ann, ben] })
    const { url } = await upload(ann)
    expect((await fetchFile(ann, url)).text).toBe('hello world')
    expect((await fetchFile(ben, url)).status).toBe(403)
    const id = await sendTo(ann, channel.id, 'files', `[hello.txt](${url})`)
    expect((await fetchFile(ben, url)).text).toBe('hello world')
    for (const kind of ['', '/download', '/thumbnail']) {
      const path =
        url.replace('/user_uploads', `/user_uploads${kind}`) + (kind === '/thumbnail' ? '/840x560.webp' : '')
      expect((await fetchFile(cleo, path)).status).toBe(403)
      expect((await fetchFile(org.visitor, path)).status).toBe(401)
    }
    expect((await cleo.get(url)).status).toBe(403)
    await ann.delete(`/messages/${id}`)
    await org.owner.delete(`/messages/${id}`)
    expect((await fetchFile(ben, url)).status).toBe(403)
  })

  test('a link by a user who may not see the file gives no access', async () => {
    const org = await all.organization()
    const [ann, ben, cleo] = [await org.person(), await org.person(), await org.person()]
    const { url } = await upload(ann)
    await direct(ben, [cleo], `[it](${url})`)
    expect((await fetchFile(ben, url)).status).toBe(403)
    expect((await fetchFile(cleo, url)).status).toBe(403)
  })

  test('returns 404 for a path of another organization and for an unknown path', async () => {
    const [org, other] = [await all.organization(), await all.organization()]
    const { url } = await upload(org.owner)
    expect((await fetchFile(other.owner, url)).status).toBe(404)
    expect((await fetchFile(org.owner, `/user_uploads/${org.id}/aa/none.txt`)).status).toBe(404)
    expect((await org.owner.get('/user_uploads/2/aa/none.txt')).status).toBe(404)
  })

  test('a temporary address needs no login, and expires after a minute', async () => {
    const org = await all.organization()
    const { url } = await upload(org.owner)
    const { body } = await org.owner.get(url)
    expect(body.url).toMatch(/^\/user_uploads\/temporary\/[\w-]+\/hello.txt$/)
    expect((await fetchFile(org.visitor, body.url)).text).toBe('hello world')
    const forged = body.url.replace(/.(?=\/hello)/, (last: string) => (last === 'A' ? 'B' : 'A'))
    expect((await fetchFile(org.visitor, forged)).status).toBe(404)
    const other = await all.organization()
    await upload(other.owner)
    expect((await fetchFile(other.visitor, body.url)).status).toBe(404)
    all.pass(uploadLimits.temporaryUrlSeconds + 2)
    expect((await fetchFile(org.visitor, body.url)).status).toBe(404)
  })

  test.each([
    ['bytes=0-4', 206, 'hello', 'bytes 0-4/11'],
    ['bytes=6-', 206, 'world', 'bytes 6-10/11'],
    ['bytes=-3', 206, 'rld', 'bytes 8-10/11'],
    ['bytes=4-99', 206, 'o world', 'bytes 4-10/11'],
    ['bytes=11-', 416, '', 'bytes */11'],
    ['bytes=0-1,4-5', 200, 'hello world', undefined],
    ['lines=1-2', 200, 'hello world', undefined],
  ])('returns the available part of the range %s', async (range, status, text, contentRange) => {
    const org = await all.organization()
    const { url } = await upload(org.owner)
    const answer = await fetchFile(org.owner, url, { range })
    expect([answer.status, answer.text, answer.headers['content-range']]).toEqual([
      status,
      text,
      contentRange,
    ])
  })

  test('does not send a cached file again, and HEAD returns its length', async () => {
    const org = await all.organization()
    const { url } = await upload(org.owner)
    const { etag } = (await fetchFile(org.owner, url)).headers
    expect((await fetchFile(org.owner, url, { 'if-none-match': etag! })).status).toBe(304)
    const head = await org.owner.raw({ method: 'HEAD', path: url })
    expect([head.status, head.headers['content-length'], head.text]).toEqual([200, '11', ''])
    const empty = await upload(org.owner, { name: 'e.txt', content: Buffer.alloc(0) })
    expect((await fetchFile(org.owner, empty.url)).status).toBe(200)
  })

  test.each([
    ['page.html', '<script>alert(1)</script>', 'text/plain; charset=utf-8', 'inline'],
    [
      'drawing.svg',
      '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>',
      'application/xml',
      'attachment',
    ],
    ['picture.png', '<svg xmlns="http://www.w3.org/2000/svg" onload="x()"/>', /text\/plain|xml/, undefined],
    ['data.bin', '\x00\x01\x02', 'application/octet-stream', 'attachment'],
  ])('%s runs no script in a browser, whatever its name is', async (name, content, type, disposition) => {
    const org = await all.organization()
    const { url } = await upload(org.owner, { name, content: Buffer.from(content) })
    const { headers } = await fetchFile(org.owner, url)
    if (typeof type === 'string') expect(headers['content-type']).toBe(type)
    else expect(headers['content-type']).toMatch(type)
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['content-security-policy']).toContain('sandbox')
    if (disposition) expect(headers['content-disposition']).toMatch(new RegExp(`^${disposition}`))
    const saved = await fetchFile(org.owner, url.replace('/user_uploads', '/user_uploads/download'))
    expect(saved.headers['content-disposition']).toBe(
      `attachment; filename="${name}"; filename*=UTF-8''${name}`,
    )
  })

  test('serves a picture by its content type, not by its name', async () => {
    const org = await all.organization()
    const { url } = await upload(org.owner, { name: 'a.txt', content: await png() })
    expect((await fetchFile(org.owner, url)).headers).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': 'inline',
    })
  })
})

describe('deleting', () => {
  test('removes the file and notifies its owner', async () => {
    const org = await all.organization()
    const [ann, ben] = [await org.person(), await org.person()]
    const { url } = await upload(ann)
    const { attachments } = (await ann.get('/attachments')).body
    const client = await ann.register()
    const stored = (await files()).filter((path) => path.startsWith(`${org.id}/`))
    expect(stored).toHaveLength(1)
    const path = `/attachments/${attachments[0].id}`
    expect((await ben.delete(path)).body).toMatchObject({ msg: 'Invalid attachment', code: 'BAD_REQUEST' })
    expect((await ann.delete(path)).body).toEqual({ result: 'success', msg: '' })
    expect(await client.events()).toMatchObject([
      { type: 'attachment', op: 'remove', attachment: { id: attachments[0].id }, upload_space_used: 0 },
    ])
    expect((await ann.delete(path)).body).toMatchObject({ msg: 'Invalid attachment' })
    expect((await fetchFile(ann, url)).status).toBe(404)
    await expect.poll(files).not.toContain(stored[0])
  })
})
