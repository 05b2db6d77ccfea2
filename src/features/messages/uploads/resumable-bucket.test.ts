import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startBucketServer } from '../../../../test/programs/bucket-server.ts'
import { atEndOfFile } from '../../../../test/runner/end-of-file.ts'
import { testServer } from '../../../../test/test-server.ts'
import { s3Files } from '../../../adapters/files/s3.ts'

const spool = mkdtempSync(join(tmpdir(), 'rookery-spool-'))
const bucket = await startBucketServer()
atEndOfFile(() => {
  bucket.stop()
  rmSync(spool, { recursive: true })
})
const { endpoint, key } = bucket
const files = s3Files({ endpoint, bucket: 'files', region: 'eu-central-1', ...key, spool })
const server = testServer({ adapters: { files } })

test('parts wait in the bucket, whichever node receives them', async () => {
  const org = await server.organization()
  const here = await org.person()
  const there = here.at({ ...here.place, port: (await server.anotherNode()).port })
  const protocol = { 'tus-resumable': '1.0.0' }
  const begun = await here.raw({
    method: 'POST',
    path: '/api/v1/tus',
    headers: { ...protocol, 'upload-length': '6', 'upload-metadata': `filename ${btoa('a.txt')}` },
  })
  const { pathname: path } = new URL(begun.headers.location!)
  const append = (who: typeof here, offset: number, body: string) => {
    const type = { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) }
    return who.raw({ method: 'PATCH', path, headers: { ...protocol, ...type }, body })
  }
  expect((await append(here, 0, 'ab')).status).toBe(204)
  expect((await append(there, 2, 'cd')).status).toBe(204)
  expect([bucket.objects.size, readdirSync(spool)]).toEqual([2, []])
  const { body } = await append(here, 4, 'ef')
  expect((await there.raw({ method: 'GET', path: body.url })).text).toBe('abcdef')
  await server.workOff()
  expect([bucket.objects.size, readdirSync(spool)]).toEqual([1, []])
})
