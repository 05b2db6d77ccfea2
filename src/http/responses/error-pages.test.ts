import { expect, test } from 'vitest'
import { send } from '../../../test/http.ts'
import { publicHost, testServer } from '../../../test/test-server.ts'

const { organization, node } = lazy()

/** The headers of a browser for an address that a user types. */
const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

function lazy() {
  const all = testServer()
  return { organization: all.organization, node: () => all.node }
}

test.each(['/nosuch', '/api', '/nosuch/page?x=1', '/%zz'])(
  'a browser gets a page where nothing is: %s',
  async (path) => {
    const { place } = await organization()
    const shown = await send(place, { method: 'GET', path, headers: html })
    expect(shown.headers['content-type']).toBe('text/html; charset=utf-8')
    expect([400, 404]).toContain(shown.status)
    expect(shown.text).toMatch(/<h1>(Not found|This did not work)<\/h1>/)
    const told = await send(place, { method: 'GET', path })
    expect(told).toMatchObject({ status: shown.status, body: { result: 'error', code: expect.any(String) } })
  },
)

test.each(['/', '/login', '/register', '/nosuch'])(
  'a browser learns that there is no such organization at %s',
  async (path) => {
    const place = { port: node().port, host: `nobody.${publicHost}` }
    const shown = await send(place, { method: 'GET', path, headers: html })
    expect(shown.status).toBe(404)
    expect(shown.headers['content-type']).toBe('text/html; charset=utf-8')
    if (path === '/nosuch') return
    expect(shown.text).toContain('There is no organization at this address.')
    expect(shown.text).not.toContain('Sign in')
  },
)

test.each(['/api/v1/nosuch', '/api/v1/messages', '/json/nosuch', '/json/messages'])(
  'programs get JSON at %s, whatever they accept',
  async (path) => {
    const { place } = await organization()
    const { headers, body } = await send(place, { method: 'GET', path, headers: html })
    expect(headers['content-type']).toContain('application/json')
    expect(body.result).toBe('error')
  },
)
