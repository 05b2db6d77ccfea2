import { expect, test } from 'vitest'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

test('any caller can load the emoji table from the address in the response', async () => {
  const org = await organization()
  const { body: state } = await org.owner.post('/register', { fetch_event_types: ['realm'] })
  const url = new URL(state.server_emoji_data_url)
  expect(url.host).toBe(org.place.host)
  const { status, headers, body } = await org.visitor.raw({ method: 'GET', path: url.pathname })
  expect(status).toBe(200)
  expect(headers['cache-control']).toMatch(/^public, max-age=\d+$/)
  expect(body.code_to_names['1f44d']).toContain('thumbs_up')
})
