import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BucketServer, startBucketServer } from '../../../test/programs/bucket-server.ts'
import { pathsIn } from '../../../test/stored-files.ts'
import { s3Files } from './s3.ts'

const spool = mkdtempSync(join(tmpdir(), 'rookery-spool-'))
let server: BucketServer

beforeAll(async () => {
  server = await startBucketServer()
})

afterAll(() => {
  server.stop()
  rmSync(spool, { recursive: true })
})

const store = ({ secretKey = server.key.secretKey, bucket = 'files', at = server.endpoint } = {}) =>
  s3Files({ endpoint: at, bucket, region: 'eu-central-1', ...server.key, secretKey, spool })

describe('a bucket', () => {
  test('keeps what is put, and gives ranges of it', async () => {
    const files = store()
    expect(
      await files.put('1/uploads/5a/x_y-z', Readable.from([Buffer.from('hello '), Buffer.from('world')])),
    ).toBe(11)
    const whole = await files.open('1/uploads/5a/x_y-z')
    expect([whole!.size, await text(whole!.content)]).toEqual([11, 'hello world'])
    const part = await files.open('1/uploads/5a/x_y-z', { start: 6, end: 8 })
    expect([part!.size, await text(part!.content)]).toEqual([11, 'wor'])
    expect(await files.open('1/uploads/5a/nothing')).toBeUndefined()
  })

  test('can be left in the middle of a file without harm', async () => {
    const files = store()
    await files.put('1/uploads/5a/large', Buffer.alloc(1_000_000))
    const { content } = (await files.open('1/uploads/5a/large'))!
    content.destroy()
    await new Promise((resolve) => content.once('close', resolve))
    expect(content.destroyed).toBe(true)
  })

  test('what comes in is read before it is kept, and leaves nothing on this machine', async () => {
    const files = store()
    const incoming = await files.receive(Readable.from([Buffer.from('abc')]))
    expect([incoming.size, await text(incoming.read({ start: 1, end: 1 }))]).toEqual([3, 'b'])
    await incoming.keep('1/uploads/5a/kept')
    const refused = await files.receive(Readable.from([Buffer.from('no')]))
    await refused.discard()
    expect(await text((await files.open('1/uploads/5a/kept'))!.content)).toBe('abc')
    expect(readdirSync(spool)).toEqual([])
  })

  test('lists by the beginning of a path, page by page, and removes', async () => {
    const files = store()
    for (const name of ['a', 'b', 'c', 'd&e']) await files.put(`2/pictures/${name}`, Buffer.from(name))
    await files.put('2/other', Buffer.alloc(0))
    const paths = await pathsIn(files, '2/pictures/')
    expect(paths).toEqual(['2/pictures/a', '2/pictures/b', '2/pictures/c', '2/pictures/d&e'])
    await files.remove('2/pictures/a')
    await files.remove('2/pictures/a')
    expect(await files.open('2/pictures/a')).toBeUndefined()
    const empty = await files.open('2/other', { start: 0, end: 0 })
    expect([empty!.size, await text(empty!.content)]).toEqual([0, ''])
  })

  test('that refuses says why, and nothing stays on this machine', async () => {
    const files = store({ secretKey: 'another key' })
    await expect(files.put('3/x', Buffer.from('x'))).rejects.toMatchObject({
      component: 'file store',
      cause: { message: expect.stringMatching(/403: .*SignatureDoesNotMatch/) },
    })
    expect(server.objects.has('3/x')).toBe(false)
    expect(readdirSync(spool)).toEqual([])
  })
})

test('a bucket that is missing is no file that is missing; and neither is a store that is away', async () => {
  const missing = store({ bucket: 'nobody' })
  const failed = { component: 'file store', cause: { message: expect.stringContaining('NoSuchBucket') } }
  await expect(missing.open('3/x')).rejects.toMatchObject(failed)
  await expect(missing.put('3/x', Buffer.from('x'))).rejects.toMatchObject(failed)
  await expect(missing.remove('3/x')).rejects.toMatchObject(failed)
  const away = store({ at: 'http://127.0.0.1:9' })
  await expect(away.open('3/x')).rejects.toMatchObject({ component: 'file store' })
  await expect(away.put('3/x', Buffer.from('x'))).rejects.toMatchObject({ component: 'file store' })
  expect(readdirSync(spool)).toEqual([])
})
