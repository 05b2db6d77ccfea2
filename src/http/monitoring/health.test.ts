import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { Caller } from '../../../test/person.ts'
import { testServer } from '../../../test/test-server.ts'
import { localFiles } from '../../adapters/files/local.ts'
import { buildHttp } from '../../app.ts'
import { unavailable } from '../../lib/component.ts'

const directory = mkdtempSync(join(tmpdir(), 'rookery-health-'))
const files = localFiles(directory)
const lines: string[] = []
const all = testServer({ log: (line) => lines.push(line), adapters: { files } })
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** A caller who knows no organization, as a load balancer. */
const balancer = () => new Caller({ port: all.node.port, host: 'by.address' })
const ask = (path: string, method = 'GET') => balancer().raw({ method, path })

test('a node that works says so to callers without a login, on any host name', async () => {
  expect(await ask('/health/live')).toMatchObject({ status: 200, body: { status: 'live' } })
  const { status, body, headers } = await ask('/health/ready')
  expect({ status, body }).toEqual({
    status: 200,
    body: { status: 'ready', checks: { database: 'ok', file_store: 'ok', log: 'ok' } },
  })
  expect(headers['cache-control']).toContain('no-store')
  expect(await ask('/health/ready', 'HEAD')).toMatchObject({ status: 200, text: '' })
  expect((await ask('/health/ready', 'POST')).status).toBe(405)
})

test('a node whose file store fails is not ready, says which part failed, and why in the log only', async () => {
  const { check } = files
  files.check = () => Promise.reject(unavailable('file store', new Error('the disk is away')))
  await expect.poll(async () => (await ask('/health/ready')).status).toBe(503)
  const { body, text } = await ask('/health/ready')
  expect(body).toMatchObject({ status: 'not ready', checks: { database: 'ok', file_store: 'failed' } })
  expect(text).not.toContain('disk')
  expect(lines.join()).toContain('the disk is away')
  expect((await ask('/health/live')).status).toBe(200)
  files.check = check
  await expect.poll(async () => (await ask('/health/ready')).status).toBe(200)
})

test('a node that starts is live and not ready', async () => {
  const { server } = buildHttp({ logger: pino({ level: 'silent' }), trustProxy: false })
  expect((await server.inject('/health/live')).statusCode).toBe(200)
  const ready = await server.inject('/health/ready')
  expect([ready.statusCode, ready.json()]).toEqual([503, { status: 'starting' }])
  await server.close()
})
