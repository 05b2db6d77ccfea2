import { describe, expect, test } from 'vitest'
import { collect, respondingServer } from '../../../test/findings.ts'
import { readConfig } from '../../config/config.ts'
import { zulipVersion } from '../../lib/version.ts'
import { checkAddress } from './address.ts'

const notYetReady = JSON.stringify({ code: 'SERVER_NOT_READY' })

describe('the server at the public address', () => {
  const serverWith = (version: string, health: object) => {
    const url: Promise<string> = respondingServer(async ({ url: path }, response) => {
      const settings = { realm_url: await url, zulip_version: version }
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(path === '/health/ready' ? health : settings))
    })
    return url
  }
  const check = async (url: string) =>
    (await collect(checkAddress(readConfig({ ROOKERY_URL: url, PORT: '1' })))).slice(1)

  test('is ready, or names the checks that failed', async () => {
    const well = await serverWith(zulipVersion, { status: 'ready', checks: { database: 'ok' } })
    expect(await check(well)).toEqual([
      { level: 'ok', what: `the server answers at ${well}` },
      { level: 'ok', what: 'the server is ready' },
    ])
    const checks = { database: 'failed', file_store: 'failed', log: 'ok' }
    expect(await check(await serverWith(zulipVersion, { status: 'not ready', checks }))).toMatchObject([
      { level: 'ok' },
      { level: 'FAIL', what: 'the server is not ready: database, file_store failed' },
    ])
  })

  test('that fails because of a check is not called one that starts', async () => {
    const health = { status: 'not ready', checks: { database: 'failed', file_store: 'ok' } }
    const url = await respondingServer(({ url: path }, response) => {
      const body = path === '/health/ready' ? health : { code: 'SERVER_NOT_READY' }
      response.writeHead(503).end(JSON.stringify(body))
    })
    expect(await check(url)).toMatchObject([{ what: 'the server is not ready: database failed' }])
    const starting = await respondingServer((_, response) =>
      response.writeHead(503).end('{"code":"SERVER_NOT_READY","status":"starting"}'),
    )
    expect(await check(starting)).toMatchObject([{ what: `the server at ${starting} is starting` }])
  })

  test('that fails behind a proxy, which keeps its health to itself, is asked there', async () => {
    const health = { status: 'not ready', checks: { database: 'failed', file_store: 'ok' } }
    const inside = await respondingServer(({ url: path }, response) =>
      response.writeHead(503).end(path === '/health/ready' ? JSON.stringify(health) : notYetReady),
    )
    const proxy = await respondingServer(({ url: path }, response) => {
      if (path === '/health/ready') response.writeHead(403).end('<h1>Forbidden</h1>')
      else response.writeHead(503).end(notYetReady)
    })
    const notReady = { level: 'FAIL', what: 'the server is not ready: database failed' }
    const config = readConfig({ ROOKERY_URL: proxy, PORT: new URL(inside).port })
    expect((await collect(checkAddress(config))).slice(1)).toMatchObject([notReady])

    const unknown = readConfig({ ROOKERY_URL: 'https://chat.rookery.invalid', PORT: new URL(inside).port })
    expect(await collect(checkAddress(unknown))).toMatchObject([
      { level: 'FAIL', what: 'the public address https://chat.rookery.invalid is unknown' },
      notReady,
    ])
  })

  test('may have no organization there', async () => {
    const url = await respondingServer(({ url: path }, response) => {
      if (path === '/health/ready') response.end(JSON.stringify({ checks: { database: 'ok' } }))
      else response.writeHead(404).end('{"code":"NONEXISTENT_SUBDOMAIN"}')
    })
    expect(await check(url)).toEqual([
      { level: 'ok', what: `the server answers at ${url}, where no organization is` },
      { level: 'ok', what: 'the server is ready' },
    ])
  })

  test('may be of another version than the command', async () => {
    const checks = { database: 'ok' }
    expect(await check(await serverWith('11.0-rookery-0.0.9', { status: 'ready', checks }))).toMatchObject([
      { level: 'ok' },
      { level: 'ok' },
      {
        level: 'warn',
        what: expect.stringMatching(
          /^the server is of version 11\.0-rookery-0\.0\.9, and this command of 11/,
        ),
      },
    ])
  })

  test('may be no Rookery, or not there, and the reason is told', async () => {
    const other = await respondingServer((_, response) => response.writeHead(502).end('<h1>Bad Gateway</h1>'))
    expect(await check(other)).toMatchObject([
      {
        level: 'warn',
        what: `no server answers at ${other}: the response has the status 502, and is not of Rookery`,
      },
    ])
    expect(await check('http://127.0.0.1:1')).toMatchObject([
      {
        level: 'warn',
        what: expect.stringMatching(
          /^no server answers at http:\/\/127\.0\.0\.1:1: .*ECONNREFUSED|: bad port$/,
        ),
      },
    ])
  })
})
