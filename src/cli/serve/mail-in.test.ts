import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { messagesOf } from '../../../test/messages.ts'
import type { Person } from '../../../test/person.ts'
import { ServerProcess } from '../../../test/processes/server-process.ts'
import { addressOf, deliver, SmtpClient } from '../../../test/programs/smtp.ts'
import { readConfig } from '../../config/config.ts'
import { freePort } from '../../lib/network/free-port.ts'
import { checkMailIn } from '../doctor/mail-in.ts'

async function serverWithMail(more: NodeJS.ProcessEnv = {}) {
  const port = await freePort('127.0.0.1')
  const settings = { ROOKERY_MAIL_IN_DOMAIN: 'in.example.org', ROOKERY_MAIL_IN_PORT: String(port), ...more }
  const server = await ServerProcess.create(settings)
  await untilListening(port)
  return { server, port, owner: await server.owner() }
}

/** Waits until the server, which responds to requests, takes mail as well. */
async function untilListening(port: number) {
  await expect
    .poll(() =>
      SmtpClient.open(port).then(
        (client) => client.close(),
        () => false,
      ),
    )
    .not.toBe(false)
}

/** Makes a channel of a user, and returns its address. */
async function channelOf(owner: Person): Promise<string> {
  await owner.post('/users/me/subscriptions', { subscriptions: [{ name: 'mails' }] })
  const { body } = await owner.get('/get_stream_id', { stream: 'mails' })
  return addressOf(owner, body.stream_id)
}

/** Returns the process that has taken a mail, by the log. */
function takerIn(log: string): number {
  const [, line = ''] = /^(.*"incoming mail".*)$/m.exec(log) ?? []
  return JSON.parse(line).pid
}

async function postedTo(owner: Person) {
  const messages = await messagesOf(owner, { narrow: [{ operator: 'channel', operand: 'mails' }] })
  return messages.filter(({ sender_full_name }) => sender_full_name === 'Email Gateway')
}

test('a mail that was acknowledged survives a kill, and is not posted again', async () => {
  const { server, port, owner } = await serverWithMail()
  const mail = { to: await channelOf(owner), headers: ['Message-ID: <kill@example.org>'], body: '<p>x' }
  expect(await deliver(port, mail)).toMatchObject({ code: 250 })
  await server.kill()
  await server.start()
  await untilListening(port)
  expect(await deliver(port, mail)).toMatchObject({ code: 250 })
  expect(await postedTo(owner)).toHaveLength(1)
})

test('of several workers one takes mail, and ends in order with the server', async () => {
  const { server, port, owner } = await serverWithMail({ ROOKERY_WORKERS: '2', ROOKERY_LOG_LEVEL: 'info' })
  const to = await channelOf(owner)
  for (const body of ['one', 'two', 'three']) expect((await deliver(port, { to, body })).code).toBe(250)
  expect(await postedTo(owner)).toHaveLength(3)
  // The one that takes its number takes mail as well.
  process.kill(takerIn(server.output), 'SIGKILL')
  await untilListening(port)
  expect((await deliver(port, { to, body: 'four' })).code).toBe(250)
  expect(await postedTo(owner)).toHaveLength(4)
  const idle = await SmtpClient.open(port)
  expect(await server.stop()).toBe(0)
  idle.close()
  await expect(SmtpClient.open(port)).rejects.toThrow()
})

test('rookery doctor says whether mail comes in', async () => {
  const settings = { ROOKERY_MAIL_IN_DOMAIN: 'in.example.invalid' }
  const found = async (port: number, host = '127.0.0.1') => {
    const place = { ROOKERY_MAIL_IN_PORT: String(port), ROOKERY_MAIL_IN_HOST: host }
    const lines: string[] = []
    for await (const { level, what } of checkMailIn(readConfig({ ...settings, ...place })))
      lines.push(`${level} ${what}`)
    return lines
  }
  const { port } = await serverWithMail()
  expect((await found(port))[0]).toBe(`ok 127.0.0.1 port ${port} takes mail`)
  const [, exposed] = await found(port, '0.0.0.0')
  expect(exposed).toBe(`warn all who reach 0.0.0.0 port ${port} can hand mails over, without TLS`)
  expect((await found(await freePort('127.0.0.1')))[0]).toMatch(
    /^warn nothing takes mail on 127\.0\.0\.1 port \d+: /,
  )
  const other = createServer((socket) => socket.end('220 mail.example.org ESMTP Postfix\r\n')).listen(
    0,
    '127.0.0.1',
  )
  await once(other, 'listening')
  const taken = (other.address() as AddressInfo).port
  expect((await found(taken))[0]).toBe(`FAIL another program listens on 127.0.0.1 port ${taken}`)
  other.close()
  expect(await checkMailIn(readConfig({})).next()).toMatchObject({ done: true })
})
