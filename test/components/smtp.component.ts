import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { smtpTransport } from '../../src/adapters/mail/smtp.ts'
import { letter } from '../../src/features/kernel/mail/letter.ts'
import { freePort } from '../../src/lib/network/free-port.ts'
import { serverKey, validCertificate } from '../programs/certificates.ts'
import { directoryFor, startProgram } from './real-program.ts'

// Mail to aiosmtpd, which takes mail only after STARTTLS.

const place = directoryFor('smtp')
const port = await freePort()
let running: Awaited<ReturnType<typeof startProgram>>

beforeAll(async () => {
  const [certificate, key] = [place.write('cert.pem', validCertificate), place.write('key.pem', serverKey)]
  const words = ['-n', '-l', `127.0.0.1:${port}`, '--tlscert', certificate, '--tlskey', key]
  running = await startProgram([process.env.TEST_AIOSMTPD!, ...words], port, { PYTHONUNBUFFERED: '1' })
})
afterAll(async () => {
  await running?.stop()
  place.remove()
})

test('a mail goes over to TLS, and arrives with both its parts', async () => {
  // With a password in its address, our side insists on TLS; here the other side does.
  const transport = smtpTransport(`smtp://localhost:${port}`, 'noreply@chat.test')
  const mail = {
    to: 'ada@example.org',
    sender: 'Club',
    title: 'Grüße',
    ...letter(['Hello Ada']),
    messageId: randomUUID(),
    unsubscribeUrl: 'https://chat.test/unsubscribe',
    date: 1_700_000_000,
  }
  const outcome = await transport
    .send(mail, async () => {})
    .then(
      () => 'taken',
      (error: Error) => error.message,
    )
  expect(outcome).toBe('taken')
  await expect.poll(() => running.said()).toContain('END MESSAGE')
  const said = running.said()
  expect(said).toContain('To: ada@example.org')
  expect(said).toMatch(/multipart\/alternative[\s\S]*Hello Ada[\s\S]*text\/html/)
  expect(said).toContain('List-Unsubscribe')
})
