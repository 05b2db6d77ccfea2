import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { newDirectory, runHere, type Server, startServer } from '../../test/command-line.ts'
import { send } from '../../test/http.ts'
import { MailServer, refusal } from '../../test/programs/mail-server.ts'
import { newDatabase } from '../../test/runner/database.ts'

const mailServer = new MailServer()
let database: Awaited<ReturnType<typeof newDatabase>>
let settings: NodeJS.ProcessEnv
let server: Server

beforeAll(async () => {
  await mailServer.start()
  database = await newDatabase()
  settings = { DATABASE_URL: database.url, ROOKERY_DATA: await newDirectory() }
  server = await startServer(settings)
})

afterAll(async () => {
  await server?.stop('SIGTERM')
  await database?.drop()
  await mailServer.stop()
})

/** A command with the settings of the server. */
const rookery = (words: string) => runHere(words, server.environment)

test('without a mail server, mails wait where the admin reads them; with one, they go out', async () => {
  const asked = await send(
    { port: server.port, host: `localhost:${server.port}` },
    {
      method: 'POST',
      path: '/accounts/password/reset',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'email=owner@example.com',
    },
  )
  expect(asked.status).toBe(200)
  const list = await rookery('mail list')
  expect(list.stdout).toMatch(/^\d+ .* password reset +owner@example\.com +waiting +0$/m)
  expect(list.stdout).toContain('ROOKERY_SMTP_URL is not set')
  expect((await rookery('doctor')).stdout).toMatch(/^warn .*0 failed, 0 uncertain, 1 waiting$/m)
  const id = /^(\d+) /m.exec(list.stdout)![1]
  const shown = await rookery(`mail show ${id}`)
  expect(shown.stdout).toMatch(/^To: owner@example\.com\n/)
  expect(shown.stdout).toMatch(/http:\/\/localhost:\d+\/accounts\/password\/reset\/\w{20}/)
  expect(await rookery('mail test ada@example.org')).toMatchObject({
    status: 1,
    stderr: 'ROOKERY_SMTP_URL is not set, so there is no mail server to try.\n',
  })

  await server.stop('SIGTERM')
  mailServer.onRecipient = () => {
    throw refusal(550, 'not known here')
  }
  server = await startServer({
    ...settings,
    ROOKERY_SMTP_URL: mailServer.url,
    ROOKERY_MAIL_FROM: 'chat@example.org',
  })
  const failed = async () => (await rookery('mail list --state failed')).stdout
  await vi.waitFor(async () => expect(await failed()).toMatch(/failed +1 .*not known here/), {
    timeout: 20_000,
  })
  const refused = await rookery('mail test ada@example.org')
  expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining('not known here') })
  expect((await rookery('doctor')).stdout).toMatch(/^warn .*1 failed, 0 uncertain, 0 waiting/m)
  mailServer.onRecipient = () => {}
  expect(await rookery(`mail retry ${id}`)).toMatchObject({ status: 0 })
  const mail = await mailServer.awaitMail('owner@example.com')
  expect(mail.envelope.from).toBe('chat@example.org')
  expect(await rookery(`mail retry ${id}`)).toMatchObject({ status: 1 })
  expect((await rookery(`mail show ${id}`)).stdout).toContain('its text is not kept')
  expect((await rookery('mail test ada@example.org')).stdout).toContain('ada@example.org')
  expect(mailServer.to('ada@example.org')).toMatchObject([{ subject: 'Mail works' }])
})
