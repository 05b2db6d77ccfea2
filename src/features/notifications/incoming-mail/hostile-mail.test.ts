import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { messagesOf } from '../../../../test/messages.ts'
import { annaAndBen } from '../../../../test/organization.ts'
import { addressOf, SmtpClient, worldOfIncomingMail } from '../../../../test/programs/smtp.ts'
import { adapterLimits } from '../../../adapters/limits.ts'
import { incomingMailLimits } from './limits.ts'
import { readInProcess } from './read-in-process.ts'

const run = promisify(execFile)
const lines: string[] = []
const world = worldOfIncomingMail({ log: (line) => lines.push(line) })
const { all } = world
const accepted = { code: 250 }

async function cast() {
  const scene = await annaAndBen(await all.organization(), { name: 'harbour' })
  return { ...scene, to: await addressOf(scene.anna, scene.channel.id) }
}

const mail = (head: string[], body: string) =>
  Buffer.from(`From: z@x.org\r\n${head.join('\r\n')}\r\n\r\n${body}`)
const mixed = (boundary: string) => `Content-Type: multipart/mixed; boundary=${boundary}`

/** Returns parts inside each other. */
function nested(depth: number): Buffer {
  const inside = Array.from({ length: depth }, (_, i) => `--b${i}\r\n${mixed(`b${i + 1}`)}\r\n\r\n`)
  return mail([mixed('b0')], inside.join(''))
}

describe('loops: a mail is acknowledged and dropped', () => {
  test.each([
    ['reports a failure', { from: '' }],
    ['answers automatically', { headers: ['Auto-Submitted: auto-replied'] }],
    ['answers automatically, and says more of it', { headers: ['Auto-Submitted: Auto-Replied; owner=x'] }],
    ['is one of ours', { headers: ['X-Mailer: Rookery'] }],
  ])('that %s', async (_, sent) => {
    const { org, ben, to } = await cast()
    lines.length = 0
    expect(await world.deliver({ to, body: 'x', ...sent })).toMatchObject(accepted)
    expect(await messagesOf(ben)).toEqual([])
    const noted = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'incoming mail')
    expect(noted).toMatchObject([{ realmId: org.id, outcome: 'dropped' }])
  })

  test('but programs may write to channels', async () => {
    const { ben, to } = await cast()
    const headers = ['Auto-Submitted: auto-generated', 'Precedence: bulk']
    expect(await world.deliver({ to, headers, body: 'x' })).toMatchObject(accepted)
    expect(await messagesOf(ben)).toHaveLength(1)
  })
})

test('the log has nothing of a mail, and no address', async () => {
  const { to } = await cast()
  lines.length = 0
  await world.deliver({ to, headers: ['Subject: secretsubject'], body: 'secretbody' })
  await world.deliver({ to, body: nested(30) })
  expect(lines.length).toBeGreaterThan(0)
  expect(lines.join('\n')).not.toMatch(/secret|zoe|in\.chat\.test|@/i)
})

describe('what no mail may be', () => {
  test.each([
    ['parts too deep', nested(incomingMailLimits.partDepth + 10)],
    [
      'headers too many',
      mail(
        Array.from({ length: incomingMailLimits.headers + 1 }, () => 'X-A: b'),
        'x',
      ),
    ],
    ['more memory than there is', mail([], '\r\n'.repeat(10_000_000))],
    ['too many lines of one dot', mail([], '..\r\n'.repeat(500_000))],
    ['headers too long', mail([`X-A: ${'long '.repeat(60_000)}`], 'x')],
  ])('%s', async (_, body) => {
    const { ben, to } = await cast()
    expect(await world.deliver({ to, body })).toEqual({
      code: 554,
      text: expect.stringContaining('cannot be read'),
    })
    expect(await messagesOf(ben)).toEqual([])
  })

  test('too large, stated or not; and the connection goes on', async () => {
    const { ben, to } = await cast()
    const smtp = await SmtpClient.open(world.port)
    const size = adapterLimits.incomingMailMib * 1024 * 1024
    await smtp.ask('EHLO client.test')
    expect((await smtp.ask(`MAIL FROM:<z@x.org> SIZE=${size + 1}`)).code).toBe(552)
    for (const line of ['MAIL FROM:<z@x.org>', `RCPT TO:<${to}>`, 'DATA']) await smtp.ask(line)
    expect(
      (await smtp.ask(Buffer.concat([Buffer.alloc(size + 1, 'a\r\n'), Buffer.from('\r\n.')]))).code,
    ).toBe(552)
    for (const line of ['MAIL FROM:<z@x.org>', `RCPT TO:<${to}>`, 'DATA']) await smtp.ask(line)
    expect((await smtp.ask('Subject: s\r\n\r\nsmall\r\n.')).code).toBe(250)
    smtp.close()
    expect(await messagesOf(ben)).toHaveLength(1)
  })
})

test('of a mail with too many lines of one dot, the rest is not read', async () => {
  const { to } = await cast()
  const smtp = await SmtpClient.open(world.port)
  await smtp.ask('EHLO client.test')
  for (const line of ['MAIL FROM:<z@x.org>', `RCPT TO:<${to}>`, 'DATA']) await smtp.ask(line)
  const lines = '..\r\n'.repeat(2 * adapterLimits.incomingMailPieces)
  // It has no end.
  expect((await smtp.ask(mail([], lines))).code).toBe(554)
  await expect(smtp.ask('NOOP')).rejects.toThrow('closed the connection')
})

describe('what any mail may be', () => {
  const odd = Buffer.from([0, 1, 255, 254, 13, 10, 10, 13, 0x80, 0xc3, 0x28])
  test.each([
    ['odd bytes', mail([], odd.toString('latin1').repeat(1_000))],
    ['no head', Buffer.from('just words')],
    ['a line without an end', mail([], 'x'.repeat(5_000_000))],
    ['many parts', mail([mixed('b')], '--b\r\nContent-Type: text/html\r\n\r\n<p>x\r\n'.repeat(20_000))],
    ['many files', mail([mixed('b')], `--b\r\nContent-Type: image/png\r\n\r\n\r\n`.repeat(50_000))],
    [
      'HTML that is never closed',
      mail(['Content-Type: text/html'], `x${'<b><i><blockquote><ul><li>'.repeat(100_000)}`),
    ],
    ['lines of one dot', mail([], '..\r\n'.repeat(adapterLimits.incomingMailPieces))],
    ['quotes without end', mail([], `${'>'.repeat(1_000)}\r\n`.repeat(1_000))],
    ['a name of many words', mail([`From: ${'"=?utf-8?q?=00?=" '.repeat(5_000)}<a@b.c>`], 'x')],
  ])('%s', async (_, body) => {
    const { ben, to } = await cast()
    const { code } = await world.deliver({ to, body })
    expect([250, 550, 554]).toContain(code)
    expect(await messagesOf(ben)).toHaveLength(code === 250 ? 1 : 0)
  })
})

test('other requests are answered while a large mail is read', async () => {
  const { ben, to } = await cast()
  const parts = `--b\r\nContent-Type: text/html\r\n\r\n${'<p>words</p>\r\n'.repeat(100)}`
  const delivered = world.deliver({ to, body: mail([mixed('b')], parts.repeat(1_500)) })
  let isDelivered = false
  const noting = delivered.then(() => {
    isDelivered = true
  })
  await ben.get('/users/me')
  expect(isDelivered).toBe(false)
  await noting
})

test('a process that takes too long, or too much memory, ends', async () => {
  const whole = () => new Uint8Array(mail([], 'x'))
  await expect(readInProcess(whole(), { seconds: 0, mib: 256 })).rejects.toMatchObject({ reason: 'time' })
  await expect(readInProcess(whole(), { seconds: 30, mib: 2 })).rejects.toMatchObject({ reason: 'memory' })
  await expect(readInProcess(whole())).resolves.toMatchObject({ text: 'x' })
})

test('a process that cannot be started fails its mail, and no promise is left alone', async () => {
  const program = new URL('read-in-process.ts', import.meta.url).href
  const script = `
    import { openSync } from 'node:fs'
    import { readInProcess } from '${program}'
    const isOpened = () => openSync('/dev/null', 'r') > 0
    try { while (isOpened()); } catch {}
    await readInProcess(new Uint8Array(1)).catch((error) => process.stdout.write(error.code))`
  const node = [process.execPath, '--import', 'tsx', '--input-type=module', '-e', script]
  const { stdout } = await run('sh', ['-c', 'ulimit -n 120; exec "$@"', 'sh', ...node])
  expect(stdout).toBe('EMFILE')
})

test('a connection that breaks off leaves nothing, and others go on', async () => {
  const { ben, to } = await cast()
  for (const said of [
    '',
    'EHLO x\r\n',
    `EHLO x\r\nMAIL FROM:<a@b.c>\r\nRCPT TO:<${to}>\r\nDATA\r\nSubject: s\r\n\r\nhalf`,
  ]) {
    const socket = connect(world.port, '127.0.0.1')
    await once(socket, 'data')
    socket.write(said)
    if (said.includes('DATA'))
      for (let text = ''; !text.includes('354'); ) text += String((await once(socket, 'data'))[0])
    socket.destroy()
    await once(socket, 'close')
  }
  expect(await world.deliver({ to, body: 'whole' })).toMatchObject(accepted)
  expect(await messagesOf(ben)).toHaveLength(1)
})

test('connections from one network are limited', async () => {
  const open: SmtpClient[] = []
  try {
    for (let i = 0; i < adapterLimits.incomingMailConnectionsEach; i++)
      open.push(await SmtpClient.open(world.port))
    await expect(SmtpClient.open(world.port)).rejects.toThrow('421')
    open.pop()!.close()
    await expect
      .poll(() =>
        SmtpClient.open(world.port).then(
          (client) => open.push(client),
          () => 0,
        ),
      )
      .toBeGreaterThan(0)
  } finally {
    for (const client of open) client.close()
  }
})

test('recipients of one mail are limited; other commands than those for mail are refused', async () => {
  const { org, anna, to } = await cast()
  const smtp = await SmtpClient.open(world.port)
  expect((await smtp.ask('EHLO client.test')).text).not.toMatch(/STARTTLS|AUTH/)
  for (const line of ['AUTH PLAIN AGEAYg==', 'STARTTLS', 'VRFY root']) {
    expect((await smtp.ask(line)).code).toBeGreaterThanOrEqual(252)
  }
  await smtp.ask('MAIL FROM:<z@x.org>')
  for (let i = 0; i < adapterLimits.incomingMailRecipients; i++) {
    const { id } = await org.channel({ subscribers: [anna] })
    expect((await smtp.ask(`RCPT TO:<${await addressOf(anna, id)}>`)).code).toBe(250)
  }
  expect((await smtp.ask(`RCPT TO:<${to}>`)).code).toBe(452)
  smtp.close()
})
