import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newDirectory } from '../../../test/command-line.ts'
import { directoryServer } from '../../../test/programs/directory-server.ts'
import { expiredServer } from '../../../test/programs/expired-server.ts'
import { MailServer } from '../../../test/programs/mail-server.ts'
import { openIdServer } from '../../../test/programs/openid-server.ts'
import { RelayServer } from '../../../test/programs/push-relay.ts'
import { readConfig } from '../../config/config.ts'
import { checkAddress } from './address.ts'
import type { Finding } from './checks.ts'
import { checkServices } from './services.ts'

/** Nothing listens there. */
const nowhere = '127.0.0.1:1'

describe('the mail server', () => {
  const mail = new MailServer()
  beforeAll(() => mail.start(0, withLogin))
  afterAll(() => mail.stop())
  const from = { ROOKERY_MAIL_FROM: 'chat@example.org' }

  test('responds and accepts the password, and gets no mail', async () => {
    const url = `smtp://chat:secret@127.0.0.1:${mail.port}`
    expect(await examine({ ROOKERY_SMTP_URL: url, ...from })).toEqual([
      { level: 'ok', what: 'the mail server works' },
    ])
    expect(mail.mails).toEqual([])
    expect(await examine({ ROOKERY_SMTP_URL: url })).toMatchObject([
      { level: 'ok' },
      { level: 'warn', what: 'mails come from noreply@localhost, which other mail servers refuse' },
    ])
  })

  test.each([
    [
      'does not take the password',
      () => `smtp://chat:guess@127.0.0.1:${mail.port}`,
      /not work: .*Wrong password/,
    ],
    ['is not there', () => `smtp://${nowhere}`, /^the mail server does not work: .*ECONNREFUSED/],
    ['speaks no TLS', () => `smtps://127.0.0.1:${mail.port}`, /^the mail server does not work: ./],
  ])('%s', async (_, url, what) => {
    const findings = await examine({ ROOKERY_SMTP_URL: url(), ...from })
    expect(findings).toMatchObject([{ level: 'FAIL', what: expect.stringMatching(what) }])
    expect(JSON.stringify(findings)).not.toContain('guess')
  })
})

test('the bucket is there, may be written, and has nothing more than before; or not', async () => {
  const objects = new Map<string, Buffer>()
  const store = await httpServer((method, path, body) => {
    if (!path.startsWith('/files')) return [404, '<Code>NoSuchBucket</Code>']
    if (method === 'PUT') objects.set(path, body)
    if (method === 'DELETE') objects.delete(path)
    return [method === 'GET' && path !== '/files' && !objects.has(path) ? 404 : 200, objects.get(path) ?? '']
  })
  const s3 = { ROOKERY_S3_BUCKET: 'files', ROOKERY_S3_ACCESS_KEY: 'id', ROOKERY_S3_SECRET_KEY: 'hunter2' }
  expect(await examine({ ...s3, ROOKERY_S3_ENDPOINT: store.url })).toMatchObject([
    { level: 'ok', what: 'the bucket files works' },
  ])
  expect([...objects.keys()]).toEqual([])
  for (const wrong of [
    { ROOKERY_S3_ENDPOINT: store.url, ROOKERY_S3_BUCKET: 'elsewhere' },
    { ROOKERY_S3_ENDPOINT: `http://${nowhere}` },
  ]) {
    const findings = await examine({ ...s3, ...wrong })
    expect(findings).toMatchObject([
      { level: 'FAIL', what: expect.stringMatching(/^the bucket \w+ does not work: ./) },
    ])
    expect(JSON.stringify(findings)).not.toContain('hunter2')
  }
  store.close()
})

test('the directory lets us search, or not', async () => {
  const service = { dn: 'cn=chat,dc=example', password: 'secret', attributes: {} }
  const directory = await directoryServer([service])
  const ldap = {
    ROOKERY_LDAP_URL: directory.url,
    ROOKERY_LDAP_BASE: 'dc=example',
    ROOKERY_LDAP_BIND_DN: service.dn,
    ROOKERY_LDAP_BIND_PASSWORD: service.password,
  }
  expect(await examine(ldap)).toMatchObject([{ level: 'ok', what: 'the directory works' }])
  for (const wrong of [
    { ROOKERY_LDAP_BIND_PASSWORD: 'guess' },
    { ROOKERY_LDAP_BIND_DN: '', ROOKERY_LDAP_BIND_PASSWORD: '' },
    { ROOKERY_LDAP_BASE: 'dc=elsewhere' },
    { ROOKERY_LDAP_URL: `ldap://${nowhere}` },
    { ROOKERY_LDAP_FILTER: '(uid={username}' },
  ]) {
    expect(await examine({ ...ldap, ...wrong }), JSON.stringify(wrong)).toMatchObject([
      { level: 'FAIL', what: expect.stringMatching(/^the directory does not work: ./) },
    ])
  }
  await directory.close()
})

test('the OpenID Connect provider is one, or not', async () => {
  const provider = await openIdServer(['http://localhost:9990/login/openid/callback'])
  const oidc = { ROOKERY_OIDC_ISSUER: provider.issuer, ROOKERY_OIDC_CLIENT_ID: provider.clientId }
  expect(await examine(oidc)).toMatchObject([{ level: 'ok' }])
  for (const issuer of [`${provider.issuer}/elsewhere`, `http://${nowhere}`]) {
    expect(await examine({ ...oidc, ROOKERY_OIDC_ISSUER: issuer })).toMatchObject([
      { level: 'FAIL', what: expect.stringMatching(/^the OpenID Connect provider does not work: ./) },
    ])
  }
  await provider.close()
})

test('the push relay takes the key, or not', async () => {
  const relay = new RelayServer()
  await relay.start()
  const push = { ROOKERY_PUSH_RELAY_URL: relay.url, ROOKERY_PUSH_RELAY_KEY: relay.key }
  expect(await examine(push)).toMatchObject([{ level: 'ok' }])
  expect(await examine({ ...push, ROOKERY_PUSH_RELAY_KEY: 'another' })).toMatchObject([
    { level: 'FAIL', what: expect.stringContaining('status code 401') },
  ])
  relay.stop()
  expect(await examine(push)).toMatchObject([{ level: 'FAIL' }])
})

test('BigBlueButton takes the secret, or not', async () => {
  const server = await httpServer((_, path, __, query) => {
    const signed = `checksum=${createHash('sha256').update('getMeetingssecret').digest('hex')}`
    const isRight = path === '/bbb/api/getMeetings' && query === signed
    return [200, `<returncode>${isRight ? 'SUCCESS' : 'FAILED'}</returncode>`]
  })
  const calls = { ROOKERY_BIGBLUEBUTTON_URL: `${server.url}/bbb`, ROOKERY_BIGBLUEBUTTON_SECRET: 'secret' }
  expect(await examine(calls)).toMatchObject([{ level: 'ok' }])
  expect(await examine({ ...calls, ROOKERY_BIGBLUEBUTTON_SECRET: 'other' })).toMatchObject([
    { level: 'FAIL' },
  ])
  server.close()
  expect(await examine(calls)).toMatchObject([{ level: 'FAIL' }])
})

test('a certificate that does not hold is told as such, not as a fault of the network', async () => {
  const server = await expiredServer()
  const findings: Finding[] = []
  for await (const finding of checkAddress(readConfig({ ROOKERY_URL: server.url, PORT: '1' }))) {
    findings.push(finding)
  }
  expect(findings.at(-1)).toMatchObject({
    level: 'FAIL',
    what: expect.stringMatching(/cannot be trusted: .*(certificate|self-signed)/),
    advice: expect.stringContaining('Mend the certificate'),
  })
  await server.close()
})

test('where no service is named, none is asked', async () => {
  expect(await examine({})).toEqual([])
})

async function examine(environment: Record<string, string | undefined>) {
  const findings: Finding[] = []
  const config = readConfig({ ROOKERY_DATA: await newDirectory(), ...environment })
  for await (const finding of checkServices(config)) findings.push(finding)
  return findings
}

const withLogin: Parameters<MailServer['start']>[1] = {
  authOptional: false,
  allowInsecureAuth: true,
  onAuth({ username, password }, _session, callback) {
    if (username === 'chat' && password === 'secret') callback(null, { user: username })
    else callback(Object.assign(new Error('Wrong password'), { responseCode: 535 }))
  },
}

type Answer = [status: number, body: string | Buffer]

async function httpServer(answer: (method: string, path: string, body: Buffer, query: string) => Answer) {
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece) => pieces.push(piece))
    request.on('end', () => {
      const { pathname, search } = new URL(request.url!, 'http://here')
      const [status, body] = answer(request.method!, pathname, Buffer.concat(pieces), search.slice(1))
      response.writeHead(status, { 'content-length': Buffer.byteLength(body) }).end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}
