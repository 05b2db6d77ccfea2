import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ldapDirectory } from '../../src/adapters/sign-on/ldap-directory.ts'
import { freePort } from '../../src/lib/network/free-port.ts'
import type { Organization } from '../organization.ts'
import { testServer } from '../test-server.ts'
import { directoryFor, startProgram } from './real-program.ts'

// Signs people in by OpenLDAP, with groups by its memberOf overlay.

const slapd = process.env.TEST_SLAPD!
/** Debian's places. */
const [schemas, modules] = ['/etc/ldap/schema', '/usr/lib/ldap']
const place = directoryFor('openldap')
const port = await freePort()
const url = `ldap://127.0.0.1:${port}`
let running: Awaited<ReturnType<typeof startProgram>>

const entries = `
dn: dc=example
objectClass: dcObject
objectClass: organization
o: Example
dc: example

dn: ou=people,dc=example
objectClass: organizationalUnit
ou: people

dn: uid=anna,ou=people,dc=example
objectClass: inetOrgPerson
uid: anna
cn: Anna Directory
sn: Directory
mail: anna@example.com
userPassword: orchid

dn: uid=bert,ou=people,dc=example
objectClass: inetOrgPerson
uid: bert
cn: Bert
sn: Bert
userPassword: tulip

dn: cn=eng,dc=example
objectClass: groupOfNames
cn: eng
member: uid=anna,ou=people,dc=example
`

beforeAll(async () => {
  mkdirSync(join(place.path, 'data'))
  const configuration = place.write(
    'slapd.conf',
    `${['core', 'cosine', 'inetorgperson'].map((name) => `include ${schemas}/${name}.schema`).join('\n')}
modulepath ${modules}
moduleload back_mdb
moduleload memberof
pidfile ${place.path}/pid
disallow bind_anon
database mdb
suffix "dc=example"
rootdn "cn=service,dc=example"
rootpw "let me search"
directory ${place.path}/data
overlay memberof
`,
  )
  running = await startProgram([slapd, '-d', '0', '-h', url, '-f', configuration], port)
  const add = process.env.TEST_LDAPADD ?? join(dirname(slapd), '../bin/ldapadd')
  execFileSync(add, ['-x', '-H', url, '-D', 'cn=service,dc=example', '-w', 'let me search'], {
    input: entries,
    stdio: ['pipe', 'ignore', 'inherit'],
  })
})
afterAll(async () => {
  await running?.stop()
  place.remove()
})

const settings = {
  url,
  startTls: false,
  bindDn: 'cn=service,dc=example',
  bindPassword: 'let me search',
  base: 'ou=people,dc=example',
  filter: '(|(uid={username})(mail={username}))',
  emailAttribute: 'mail',
  nameAttribute: 'cn',
  groupsAttribute: 'memberOf',
}
const { organization } = testServer({
  adapters: { signOn: { directory: ldapDirectory(settings), groups: [['eng', 'engineers']] } },
})

async function outcome(org: Organization, username: string, password: string) {
  const { status, body } = await org.visitor.post('/fetch_api_key', { username, password })
  return { status, code: body.code, user_id: body.user_id }
}

test('a person signs in by name or address, and is in the group of the directory', async () => {
  const org = await organization()
  const anna = await org.person({ email: 'anna@example.com' })
  const group = { name: 'engineers', description: '', members: [] }
  const { body } = await org.owner.post('/user_groups/create', group)
  for (const name of ['anna', 'anna@example.com'])
    expect(await outcome(org, name, 'orchid')).toMatchObject({ status: 200, user_id: anna.id })
  expect(org.state.groupMembers.get(body.group_id, anna.id)).toBeDefined()
})

test.each([
  ['anna', 'wrong'],
  ['anna', ''],
  ['an*', 'orchid'],
  ['nobody', 'orchid'],
  ['bert', 'tulip'], // has no address
])('%s with the password "%s" is refused', async (name, password) => {
  const org = await organization()
  await org.person({ email: 'anna@example.com' })
  const { status } = await outcome(org, name, password)
  expect([400, 401]).toContain(status)
})
