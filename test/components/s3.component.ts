import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { s3Files } from '../../src/adapters/files/s3.ts'
import { freePort } from '../../src/lib/network/free-port.ts'
import { directoryFor, startProgram } from './real-program.ts'

// Files in a bucket of the Versity S3 gateway, which keeps them in a directory.

const place = directoryFor('s3')
const port = await freePort()
const key = { accessKey: 'rookery', secretKey: 'a secret of the two' }
const spool = join(place.path, 'spool')
let running: Awaited<ReturnType<typeof startProgram>>

beforeAll(async () => {
  // A directory of its root is a bucket.
  for (const folder of ['root/files', 'accounts', 'spool'])
    mkdirSync(join(place.path, folder), { recursive: true })
  const words = ['--access', key.accessKey, '--secret', key.secretKey, '--port', `127.0.0.1:${port}`]
  running = await startProgram(
    [process.env.TEST_VERSITYGW!, ...words, 'posix', join(place.path, 'root')],
    port,
  )
})
afterAll(async () => {
  await running?.stop()
  place.remove()
})

const store = (secretKey = key.secretKey) =>
  s3Files({
    endpoint: `http://127.0.0.1:${port}`,
    bucket: 'files',
    region: 'us-east-1',
    ...key,
    secretKey,
    spool,
  })

test('keeps what is put, gives ranges of it, lists and removes', async () => {
  const files = store()
  const content = [Buffer.from('hello '), Buffer.from('world')]
  expect(await files.put('1/uploads/5a/x_y-z', Readable.from(content))).toBe(11)
  expect(await files.put('1/uploads/5a/empty', Buffer.alloc(0))).toBe(0)
  const whole = (await files.open('1/uploads/5a/x_y-z'))!
  expect([whole.size, await text(whole.content)]).toEqual([11, 'hello world'])
  const part = (await files.open('1/uploads/5a/x_y-z', { start: 6, end: 8 }))!
  expect(await text(part.content)).toBe('wor')
  expect(await files.open('1/uploads/5a/nothing')).toBeUndefined()
  const names: string[] = []
  for await (const name of files.list('1/')) names.push(name)
  expect(names.sort()).toEqual(['1/uploads/5a/empty', '1/uploads/5a/x_y-z'])
  await files.remove('1/uploads/5a/x_y-z')
  expect(await files.open('1/uploads/5a/x_y-z')).toBeUndefined()
})

test('a file of 40 MiB comes back as it was', async () => {
  const files = store()
  const large = Buffer.alloc(40 * 1024 ** 2, 'rookery')
  expect(await files.put('1/uploads/5a/large', Readable.from(large))).toBe(large.length)
  const { content } = (await files.open('1/uploads/5a/large'))!
  const chunks: Buffer[] = []
  for await (const chunk of content) chunks.push(chunk as Buffer)
  expect(Buffer.concat(chunks).equals(large)).toBe(true)
})

test('a wrong key is refused', async () => {
  await expect(store('a guess').put('1/uploads/5a/x', Buffer.from('x'))).rejects.toThrow()
})
