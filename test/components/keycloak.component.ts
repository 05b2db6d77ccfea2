import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openIdProvider } from '../../src/adapters/sign-on/open-id.ts'
import { freePort } from '../../src/lib/network/free-port.ts'
import { getPage } from '../pages.ts'
import { publicHost, testServer } from '../test-server.ts'
import { directoryFor, startProgram } from './real-program.ts'

// Signs people in by Keycloak: its own page asks for the password, and its groups come as a claim.

const place = directoryFor('keycloak')
const port = await freePort()
const issuer = `http://127.0.0.1:${port}/realms/example`
const client = { clientId: 'rookery', clientSecret: 'a secret of the two' }
let running: Awaited<ReturnType<typeof startProgram>>

const realm = {
  realm: 'example',
  enabled: true,
  sslRequired: 'none',
  clients: [
    {
      clientId: client.clientId,
      secret: client.clientSecret,
      redirectUris: Array.from(
        { length: 5 },
        (_, i) => `http://org${i + 1}.${publicHost}/login/openid/callback`,
      ),
      protocolMappers: [
        {
          name: 'groups',
          protocol: 'openid-connect',
          protocolMapper: 'oidc-group-membership-mapper',
          config: {
            'claim.name': 'groups',
            'full.path': 'false',
            'id.token.claim': 'true',
            'access.token.claim': 'true',
            'userinfo.token.claim': 'true',
          },
        },
      ],
    },
  ],
  groups: [{ name: 'eng' }],
  users: [
    {
      username: 'anna',
      enabled: true,
      email: 'anna@example.com',
      emailVerified: true,
      firstName: 'Anna',
      lastName: 'Example',
      groups: ['eng'],
      credentials: [{ type: 'password', value: 'orchid', temporary: false }],
    },
  ],
}

beforeAll(async () => {
  // Keycloak writes into its own directory.
  const home = join(place.path, 'home')
  cpSync(process.env.TEST_KEYCLOAK!, home, { recursive: true })
  rmSync(join(home, 'data'), { recursive: true, force: true })
  mkdirSync(join(home, 'data/import'), { recursive: true })
  writeFileSync(join(home, 'data/import/realm.json'), JSON.stringify(realm))
  const words = ['start-dev', '--import-realm', `--http-port=${port}`, '--http-host=127.0.0.1']
  running = await startProgram([join(home, 'bin/kc.sh'), ...words], port, { JAVA_OPTS_APPEND: '-Xmx512m' })
}, 300_000)
afterAll(async () => {
  await running?.stop()
  place.remove()
}, 60_000)

const { organization } = testServer({
  adapters: {
    signOn: {
      openId: openIdProvider({
        issuer,
        ...client,
        name: 'Example',
        scopes: 'openid email profile',
        groupsClaim: 'groups',
      }),
      createsAccounts: false,
      groups: [['eng', 'engineers']],
    },
  },
})

/** Fills in the page of Keycloak. Returns where it leads, or its status. */
async function fillIn(url: string, password: string): Promise<string> {
  const page = await fetch(url)
  const cookie = page.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  const action = /action="([^"]+)"/.exec(await page.text())![1]!.replaceAll('&amp;', '&')
  const answer = await fetch(action, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie },
    body: new URLSearchParams({ username: 'anna', password }),
  })
  return answer.headers.get('location') ?? String(answer.status)
}

test('a person signs in with their password at Keycloak, and is in its group', async () => {
  const org = await organization()
  const anna = await org.person({ email: 'anna@example.com' })
  const group = { name: 'engineers', description: '', members: [] }
  const { body } = await org.owner.post('/user_groups/create', group)
  const begun = await getPage(org, '/login/openid')
  const [cookie] = begun.headers['set-cookie']![0]!.split(';')
  expect(await fillIn(begun.headers.location!, 'wrong')).toBe('200')
  const back = new URL(await fillIn(begun.headers.location!, 'orchid'))
  const done = await getPage(org, back.pathname + back.search, { cookie: cookie! })
  const session = done.headers['set-cookie']!.find((one) => one.startsWith('rookery='))
  expect(session).toBeDefined()
  expect(org.state.groupMembers.get(body.group_id, anna.id)).toBeDefined()
}, 120_000)
