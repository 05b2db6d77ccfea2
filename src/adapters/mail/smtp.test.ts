import { randomUUID } from 'node:crypto'
import type { SMTPServerOptions } from 'smtp-server'
import { afterEach, expect, test } from 'vitest'
import { MailServer, refusal } from '../../../test/programs/mail-server.ts'
import { letter } from '../../features/kernel/mail/letter.ts'
import { MailError, type OutgoingMail } from './mail-transport.ts'
import { smtpTransport } from './smtp.ts'

const server = new MailServer()
afterEach(() => server.stop())

const from = 'noreply@chat.test'

function aMail(fields: Partial<OutgoingMail> = {}): OutgoingMail {
  return {
    to: 'ada@example.org',
    sender: 'Club',
    title: 'Hello',
    ...letter(['Hello']),
    messageId: randomUUID(),
    unsubscribeUrl: null,
    date: 1_700_000_000,
    ...fields,
  }
}

/** Sends a mail; returns its fate, and whether the server was ready for its content. */
async function outcome(url: string, mail = aMail()) {
  let isReady = false
  try {
    await smtpTransport(url, from).send(mail, async () => {
      isReady = true
    })
    return { fate: 'taken', isReady }
  } catch (error) {
    expect(error).toBeInstanceOf(MailError)
    return { fate: (error as MailError).fate, isReady }
  }
}

const withLogin: SMTPServerOptions = {
  authOptional: false,
  allowInsecureAuth: true,
  onAuth({ username, password }, _session, callback) {
    if (username === 'chat' && password === 'p@ss:word') callback(null, { user: username })
    else callback(refusal(535, 'Wrong password'))
  },
}

test('it logs in with what the URL says; a wrong password is for the admin to put right', async () => {
  await server.start(0, withLogin)
  const url = (password: string) => `smtp://chat:${encodeURIComponent(password)}@127.0.0.1:${server.port}`
  expect(await outcome(url('p@ss:word'))).toEqual({ fate: 'taken', isReady: true })
  expect(await outcome(url('guess'))).toEqual({ fate: 'temporary', isReady: false })
  expect(server.mails).toHaveLength(1)
})

test('on the same machine, a password goes through TLS where the server offers it', async () => {
  const secure: boolean[] = []
  await server.start(0, {
    ...withLogin,
    allowInsecureAuth: false,
    disabledCommands: [],
    onAuth(auth, session, callback) {
      secure.push(session.secure)
      withLogin.onAuth!.call(this as never, auth, session, callback)
    },
  })
  const login = `chat:${encodeURIComponent('p@ss:word')}@`
  expect(await outcome(server.url.replace('//', `//${login}`))).toEqual({ fate: 'taken', isReady: true })
  expect(secure).toEqual([true])
})

test('on the same machine, a server that takes mail only through TLS gets it, without a password', async () => {
  await server.start(0, {
    disabledCommands: [],
    onMailFrom(_address, session, callback) {
      callback(session.secure ? null : refusal(530, 'Must issue a STARTTLS command first'))
    },
  })
  expect(await outcome(server.url)).toEqual({ fate: 'taken', isReady: true })
})

test('a certificate that does not hold is not trusted, and the server gets nothing', async () => {
  await server.start(0, { secure: true })
  expect(await outcome(`smtps://127.0.0.1:${server.port}`)).toEqual({ fate: 'temporary', isReady: false })
})

test('a server that is not there is tried again', async () => {
  await server.start()
  const { url } = server
  await server.stop()
  expect(await outcome(url)).toEqual({ fate: 'temporary', isReady: false })
  await server.start()
})

test('names and subjects are no headers of their own', async () => {
  await server.start()
  const mail = aMail({ sender: 'Club"\r\nBcc: eve@example.org', title: 'Hi\r\nBcc: eve@example.org' })
  expect(await outcome(server.url, mail)).toEqual({ fate: 'taken', isReady: true })
  const [got] = server.mails.slice(-1)
  expect(got!.envelope).toEqual({ from, to: ['ada@example.org'] })
  expect(got!.bcc).toBeUndefined()
  expect(got!.from).toMatchObject({ address: from })
})
