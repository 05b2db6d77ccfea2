import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { startBucketServer } from '../programs/bucket-server.ts'
import { directoryServer } from '../programs/directory-server.ts'
import { expiredServer } from '../programs/expired-server.ts'
import { MailServer, refusal } from '../programs/mail-server.ts'
import type { Fault } from './faults.ts'
import type { Trial } from './trial.ts'

/** Nothing listens there. */
const nowhere = '127.0.0.1:1'

const from = { ROOKERY_MAIL_FROM: 'chat@example.org' }

function set(trial: Trial, settings: NodeJS.ProcessEnv) {
  Object.assign(trial.settings, settings)
}

/** A server that accepts connections, and says nothing. */
async function silentServer(trial: Trial): Promise<number> {
  const server = createTcpServer((socket) => socket.on('error', () => {}).unref())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  trial.undo.push(() => server.close())
  return (server.address() as AddressInfo).port
}

/** A server that gives every request the same response. */
async function stubbornServer(trial: Trial, status: number, body: string): Promise<string> {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  trial.undo.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function expired(trial: Trial): Promise<{ url: string; port: string }> {
  const server = await expiredServer()
  trial.undo.push(() => server.close())
  return { url: server.url, port: new URL(server.url).port }
}

const mails = /mails\{state="waiting"\} [1-9]|mails_oldest_waiting/
const beginSignOn = (trial: Trial) => trial.askAnyone('GET', '/login/openid')
const oidc = { ROOKERY_OIDC_CLIENT_ID: 'rookery', ROOKERY_OIDC_CLIENT_SECRET: 'secret' }
const ldap = { ROOKERY_LDAP_BASE: 'dc=example' }
const s3 = { ROOKERY_S3_BUCKET: 'files', ROOKERY_S3_ACCESS_KEY: 'id', ROOKERY_S3_SECRET_KEY: 'key' }
const logInByDirectory = (trial: Trial) => trial.logIn('anna', 'orchid')

/** A service beyond the server does not do what it is asked for. */
export const serviceFaults: Fault[] = [
  {
    name: 'The mail server is down',
    before: (trial) => set(trial, { ...from, ROOKERY_SMTP_URL: `smtp://${nowhere}` }),
    meet: (trial) => trial.resetPassword(),
    metrics: mails,
    expected: {
      metrics: /mail server"} rises.*waiting/,
      log: /The mail server failed: .*ECONNREFUSED/,
      doctor: /FAIL the mail server does not work: .*ECONNREFUSED/,
    },
  },
  {
    name: 'The mail server does not take the password',
    before: async (trial) => {
      const server = new MailServer()
      await server.start(0, {
        authOptional: false,
        allowInsecureAuth: true,
        onAuth: (_, __, callback) => callback(refusal(535, 'Wrong password')),
      })
      trial.undo.push(() => server.stop())
      set(trial, { ...from, ROOKERY_SMTP_URL: `smtp://chat:guess@127.0.0.1:${server.port}` })
    },
    meet: (trial) => trial.resetPassword(),
    metrics: mails,
    expected: { metrics: /mail server"} rises/, log: /Wrong password/, doctor: /FAIL .*Wrong password/ },
  },
  {
    name: 'The certificate of the mail server has expired',
    before: async (trial) =>
      set(trial, { ...from, ROOKERY_SMTP_URL: `smtps://127.0.0.1:${(await expired(trial)).port}` }),
    meet: (trial) => trial.resetPassword(),
    metrics: mails,
    expected: {
      metrics: /mail server"} rises/,
      log: /certificate|self-signed/,
      doctor: /FAIL .*(certificate|self-signed)/,
    },
  },
  {
    name: 'The mail server accepts connections, and says nothing',
    before: async (trial) =>
      set(trial, { ...from, ROOKERY_SMTP_URL: `smtp://127.0.0.1:${await silentServer(trial)}` }),
    meet: (trial) => trial.resetPassword(),
    metrics: mails,
    expected: { metrics: /mail server"} rises/, log: /Greeting never received/, doctor: /FAIL .*Greeting/ },
  },
  {
    name: 'The mail server refuses an address for good',
    before: async (trial) => {
      const server = new MailServer()
      await server.start()
      server.onRecipient = () => {
        throw refusal(550, 'No such user')
      }
      trial.undo.push(() => server.stop())
      set(trial, { ...from, ROOKERY_SMTP_URL: server.url })
    },
    meet: (trial) => trial.resetPassword(),
    metrics: /mails\{state="failed"\} [1-9]/,
    expected: { metrics: /failed/, doctor: /warn mails of the last week: \d+ failed/ },
  },
  {
    name: 'The store of files is down (S3)',
    before: (trial) => set(trial, { ...s3, ROOKERY_S3_ENDPOINT: `http://${nowhere}` }),
    meet: (trial) => trial.upload(),
    expected: {
      ready: /503: file_store/,
      metrics: /file store"} rises/,
      log: /The file store failed: .*ECONNREFUSED/,
      doctor: /FAIL the bucket files does not work: .*ECONNREFUSED/,
    },
  },
  {
    name: 'The bucket is not there',
    before: async (trial) => {
      const server = await startBucketServer()
      trial.undo.push(() => server.stop())
      set(trial, { ...server.settings, ROOKERY_S3_BUCKET: 'elsewhere' })
    },
    meet: (trial) => trial.upload(),
    expected: { ready: /503: file_store/, log: /NoSuchBucket/, doctor: /FAIL .*NoSuchBucket/ },
  },
  {
    name: 'The key to the bucket is wrong',
    before: async (trial) => {
      const server = await startBucketServer()
      trial.undo.push(() => server.stop())
      set(trial, { ...server.settings, ROOKERY_S3_SECRET_KEY: 'guess' })
    },
    meet: (trial) => trial.upload(),
    expected: { ready: /503: file_store/, log: /403/, doctor: /FAIL .*403/ },
  },
  {
    name: 'The directory is down (LDAP)',
    before: (trial) => set(trial, { ...ldap, ROOKERY_LDAP_URL: `ldap://${nowhere}` }),
    meet: logInByDirectory,
    expected: {
      metrics: /directory"} rises/,
      log: /The directory failed: .*ECONNREFUSED/,
      doctor: /FAIL the directory does not work: .*cannot be reached/,
    },
  },
  {
    name: 'The directory does not take the server’s own password',
    before: async (trial) => {
      const service = { dn: 'cn=chat,dc=example', password: 'secret', attributes: {} }
      const server = await directoryServer([service])
      trial.undo.push(() => server.close())
      const bind = { ROOKERY_LDAP_BIND_DN: service.dn, ROOKERY_LDAP_BIND_PASSWORD: 'guess' }
      set(trial, { ...ldap, ...bind, ROOKERY_LDAP_URL: server.url })
    },
    meet: logInByDirectory,
    expected: { metrics: /directory"} rises/, log: /own password/, doctor: /FAIL .*own password/ },
  },
  {
    name: 'The OpenID Connect provider is down',
    before: (trial) => set(trial, { ...oidc, ROOKERY_OIDC_ISSUER: `http://${nowhere}` }),
    meet: beginSignOn,
    expected: {
      metrics: /sign-on service"} rises/,
      log: /The sign-on service failed/,
      doctor: /FAIL the OpenID Connect provider does not work: .*cannot be reached/,
    },
  },
  {
    name: 'The certificate of the provider has expired',
    before: async (trial) => set(trial, { ...oidc, ROOKERY_OIDC_ISSUER: (await expired(trial)).url }),
    meet: beginSignOn,
    expected: { metrics: /sign-on service"} rises/, log: /certificate/, doctor: /FAIL .*certificate/ },
  },
  {
    name: 'ROOKERY_OIDC_ISSUER leads to something else',
    before: async (trial) =>
      set(trial, { ...oidc, ROOKERY_OIDC_ISSUER: await stubbornServer(trial, 404, '{}') }),
    meet: beginSignOn,
    expected: { metrics: /sign-on service"} rises/, log: /not valid/, doctor: /FAIL .*not valid/ },
  },
  {
    name: 'The push relay is down',
    before: (trial) => set(trial, { ROOKERY_PUSH_RELAY_URL: `http://${nowhere}` }),
    expected: { doctor: /FAIL the push relay does not work: .*ECONNREFUSED/ },
  },
  {
    name: 'The push relay does not take the key',
    before: async (trial) =>
      set(trial, {
        ROOKERY_PUSH_RELAY_URL: await stubbornServer(trial, 401, '{}'),
        ROOKERY_PUSH_RELAY_KEY: 'guess',
      }),
    expected: { doctor: /FAIL the push relay does not work: .*401/ },
  },
  {
    name: 'NATS is down',
    before: (trial) => set(trial, { NATS_URL: `nats://${nowhere}` }),
    expected: { metrics: /NATS"} rises/, log: /hear of changes late/, doctor: /FAIL .*NATS/ },
  },
  {
    name: 'The secret for BigBlueButton is wrong',
    before: async (trial) =>
      set(trial, {
        ROOKERY_BIGBLUEBUTTON_URL: await stubbornServer(trial, 200, '<returncode>FAILED</returncode>'),
        ROOKERY_BIGBLUEBUTTON_SECRET: 'guess',
      }),
    expected: { doctor: /FAIL the BigBlueButton server does not/ },
  },
]
