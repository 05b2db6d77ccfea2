import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { Caller } from '../../../test/person.ts'
import { readConfig } from '../../config/config.ts'
import { freePort } from '../../lib/network/free-port.ts'
import { configuredMonitoring, listenForMonitors } from './monitoring.ts'

const token = 'token-of-the-monitor'

async function listen(environment: Record<string, string>) {
  const config = readConfig(environment)
  const monitoring = await configuredMonitoring(config)
  return { close: await listenForMonitors(config, async () => monitoring?.metrics.text() ?? '') }
}

test('nothing is counted for a server without a monitor', async () => {
  expect(await configuredMonitoring(readConfig({}))).toBeUndefined()
})

test('metrics on a port of their own are on no other, and need a token only if one is set', async () => {
  const port = await freePort()
  const monitor = new Caller({ port, host: 'by.address' })
  // The second server on this port knows nothing of connections to the first.
  const ask = (path: string, headers = {}) =>
    monitor.raw({ method: 'GET', path, headers: { connection: 'close', ...headers } })
  const open = { ROOKERY_METRICS_PORT: String(port) }
  const closed = { ...open, ROOKERY_METRICS_TOKEN: token }
  expect((await configuredMonitoring(readConfig(closed)))?.token).toBeUndefined()

  const first = await listen(open)
  expect(await ask('/metrics?x=1')).toMatchObject({ status: 200, text: expect.stringContaining('process_') })
  expect((await ask('/api/v1/server_settings')).status).toBe(404)
  expect(
    (await monitor.raw({ method: 'DELETE', path: '/metrics', headers: { connection: 'close' } })).status,
  ).toBe(405)
  await first.close()

  const second = await listen(closed)
  expect((await ask('/metrics')).status).toBe(401)
  expect((await ask('/metrics', { authorization: `Bearer ${token}` })).status).toBe(200)
  await second.close()
})

test('a port that is taken is named with its setting', async () => {
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  const { port } = taken.address() as AddressInfo
  await expect(listen({ ROOKERY_METRICS_PORT: String(port) })).rejects.toThrow(
    `The server cannot listen on 127.0.0.1 port ${port}: another process does already; set ROOKERY_METRICS_PORT to another one.`,
  )
  taken.close()
})
