import { afterAll, expect, test } from 'vitest'
import { Browser } from '../../../../test/browser.ts'
import { type Answer, send } from '../../../../test/http.ts'
import type { Organization } from '../../../../test/organization.ts'
import { directoryServer } from '../../../../test/programs/directory-server.ts'
import { testServer } from '../../../../test/test-server.ts'
import { ldapDirectory } from '../../../adapters/sign-on/ldap-directory.ts'
import type { SignOn } from '../../../adapters/sign-on/sign-on.ts'

const people = [
  { dn: 'cn=service,dc=example', password: 'let me search', attributes: { cn: 'service' } },
  {
    dn: 'uid=anna,ou=people,dc=example',
    password: 'orchid',
    attributes: {
      uid: 'anna',
      mail: 'anna@example.com',
      cn: 'Anna Directory',
      memberof: ['cn=eng,ou=groups,dc=example', 'cn=all,ou=groups,dc=example'],
    },
  },
  {
    dn: 'uid=bert,ou=people,dc=example',
    password: 'tulip',
    attributes: { uid: 'bert', cn: 'Bert', memberof: [] },
  },
]
const cora = { uid: 'dora@example.com', mail: 'cora@example.com', cn: 'Cora', memberof: [] }
people.push({ dn: 'uid=cora,ou=people,dc=example', password: 'lily', attributes: cora })
const server = await directoryServer(people)
const settings = {
  url: server.url,
  startTls: false,
  bindDn: 'cn=service,dc=example',
  bindPassword: 'let me search',
  base: 'dc=example',
  filter: '(|(uid={username})(mail={username}))',
  emailAttribute: 'mail',
  nameAttribute: 'cn',
  groupsAttribute: 'memberof',
}
const signOn: SignOn = { directory: ldapDirectory(settings), groups: [['eng', 'engineers']] }
const lines: string[] = []
const { organization } = testServer({ adapters: { signOn }, log: (line) => lines.push(line) })
afterAll(() => server.close())

function logIn(org: Organization, username: string, password: string) {
  return org.visitor.post('/fetch_api_key', { username, password })
}

/** Returns the log entries of a component for this response. */
function loggedFor({ headers }: Answer) {
  const logged = lines.map((line) => JSON.parse(line))
  return logged.filter(({ reqId, component }) => reqId === headers['x-request-id'] && component)
}

const wrong = { status: 401, code: 'AUTHENTICATION_FAILED' }

async function outcome(org: Organization, username: string, password: string) {
  const { status, body } = await logIn(org, username, password)
  return { status, code: body.code }
}

test('a name and password of the directory log in to the account with its address, and groups follow', async () => {
  const org = await organization()
  const anna = await org.person({ email: 'anna@example.com' })
  const made = await org.owner.post('/user_groups/create', {
    name: 'engineers',
    description: '',
    members: [],
  })
  const { status, body } = await logIn(org, 'anna', 'orchid')
  expect({ status, ...body }).toMatchObject({ status: 200, user_id: anna.id, email: anna.email })
  expect(org.state.groupMembers.get(made.body.group_id, anna.id)).toBeDefined()
  const settings = await org.visitor.get('/server_settings')
  expect(settings.body).toMatchObject({
    authentication_methods: { ldap: true, password: true },
    require_email_format_usernames: false,
  })
})

test('in a session, the password of another user whom the directory finds by the address makes no key', async () => {
  const org = await organization()
  await org.person({ email: 'cora@example.com' })
  const keyFor = async (email: string, password: string) => {
    const browser = new Browser(org.place)
    const { name, value } = await org.session(await org.person({ email }))
    browser.cookie = `${name}=${value}`
    return (await browser.ask('POST', '/json/fetch_api_key', { password })).body
  }
  expect(await keyFor('anna@example.com', 'orchid')).toMatchObject({ email: 'anna@example.com' })
  expect(await keyFor('dora@example.com', 'lily')).toMatchObject({ code: 'AUTHENTICATION_FAILED' })
})

test('rejects a wrong password, an empty one, and a name with filter characters', async () => {
  const org = await organization()
  await org.person({ email: 'anna@example.com' })
  for (const [username, password] of [
    ['anna', 'rose'],
    ['anna', ''],
    ['*', 'orchid'],
    ['anna)(uid=*', 'orchid'],
    ["anna$'", 'orchid'],
    ['', 'orchid'],
  ] as const) {
    expect(await outcome(org, username, password)).toEqual(wrong)
  }
})

test('after five failures the sixth attempt has to wait, whatever the password', async () => {
  const org = await organization()
  await org.person({ email: 'anna@example.com' })
  for (let i = 0; i < 5; i++) expect(await outcome(org, 'anna', 'guess')).toEqual(wrong)
  expect((await outcome(org, 'Anna', 'orchid')).status).toBe(429)
})

test('attempts count for the user whom the directory finds, by whichever name', async () => {
  const org = await organization()
  await org.person({ email: 'anna@example.com' })
  for (let i = 0; i < 3; i++) expect(await outcome(org, 'anna@example.com', 'guess')).toEqual(wrong)
  for (let i = 0; i < 2; i++) expect(await outcome(org, 'anna', 'guess')).toEqual(wrong)
  expect((await outcome(org, 'anna', 'orchid')).status).toBe(429)
  expect((await outcome(org, 'bert', 'guess')).status).toBe(401)
})

test('logins under several names leave no failed attempts behind', async () => {
  const org = await organization()
  await org.person({ email: 'anna@example.com' })
  for (let i = 0; i < 6; i++)
    for (const name of ['anna', 'anna@example.com'])
      expect((await logIn(org, name, 'orchid')).status).toBe(200)
})

test('a name with a network behind it does not lock its user out of this network', async () => {
  const org = await organization()
  await org.person({ email: 'anna@example.com' })
  for (let i = 0; i < 6; i++) await logIn(org, 'anna@example.com 127.0.0.1', 'guess')
  expect((await logIn(org, 'anna@example.com', 'orchid')).status).toBe(200)
})

test('a directory user without an account gets none unless the server creates accounts', async () => {
  const org = await organization()
  expect((await logIn(org, 'anna', 'orchid')).body.msg).toContain('There is no account')
  signOn.createsAccounts = true
  try {
    const client = await org.owner.register()
    expect((await logIn(org, 'anna', 'orchid')).status).toBe(200)
    expect(org.state.userByEmail('anna@example.com')).toMatchObject({
      full_name: 'Anna Directory',
      role: 400,
    })
    expect((await logIn(org, 'anna', 'orchid')).status).toBe(200)
    await client.expectStateToMatch()
    expect((await logIn(org, 'bert', 'tulip')).body.msg).toContain('not provided your email address')
  } finally {
    signOn.createsAccounts = false
  }
})

test('a password of this server works, even when the directory is down', async () => {
  const org = await organization()
  const login = () => logIn(org, org.owner.email, 'correct horse')
  expect((await login()).status).toBe(200)
  const { directory } = signOn
  signOn.directory = ldapDirectory({ ...settings, url: 'ldap://127.0.0.1:9' })
  try {
    const own = await login()
    expect(own.status).toBe(200)
    expect(loggedFor(own)).toMatchObject([
      { component: 'directory', msg: expect.stringContaining('ECONNREFUSED') },
    ])
    const theirs = await logIn(org, 'anna', 'orchid')
    const { status, body } = theirs
    expect({ status, msg: body.msg }).toEqual({ status: 503, msg: 'The directory cannot be reached.' })
    expect(loggedFor(theirs)).toMatchObject([{ level: 40, component: 'directory' }])
    expect(lines.join()).not.toContain('orchid')
    const form = {
      method: 'POST',
      path: '/login',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }
    const shown = await send(org.place, { ...form, body: 'username=anna&password=orchid' })
    expect(shown).toMatchObject({ status: 503, text: expect.stringContaining('cannot be reached') })
  } finally {
    signOn.directory = directory
  }
})

test('reports a directory that rejects this server’s credentials', async () => {
  const org = await organization()
  const { directory } = signOn
  signOn.directory = ldapDirectory({ ...settings, bindPassword: 'wrong' })
  try {
    expect((await logIn(org, 'anna', 'orchid')).body.msg).toContain('own password')
  } finally {
    signOn.directory = directory
  }
})
