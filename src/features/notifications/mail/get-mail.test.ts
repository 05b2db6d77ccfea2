import { expect, test } from 'vitest'
import { worldOfMail } from '../../../../test/programs/mail-server.ts'
import { testServer } from '../../../../test/test-server.ts'

const silent = testServer()
const { all: mailing } = worldOfMail()

test('tells users whether the server has a mail server', async () => {
  for (const [server, sends] of [
    [silent, false],
    [mailing, true],
  ] as const) {
    const org = await server.organization()
    const ana = await org.person({ name: 'Ana' })
    expect((await ana.get('/rookery/mail')).body).toMatchObject({ result: 'success', is_sent: sends })
    expect((await org.visitor.get('/rookery/mail')).status).toBe(401)
  }
})
