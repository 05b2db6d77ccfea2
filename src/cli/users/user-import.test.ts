import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { entriesOf } from '../../../test/audit-entries.ts'
import { administer } from '../../../test/processes/administer.ts'
import { testServer } from '../../../test/test-server.ts'

const all = testServer()
const { rookery, json, directory } = administer(all)

const file = async (name: string, text: string | Buffer) => {
  const path = join(directory(), name)
  await writeFile(path, text)
  return path
}

test('creates, updates, and leaves the rest; the same file again changes nothing', async () => {
  const org = await all.organization()
  const ben = await org.person({ name: 'Ben', email: 'ben@example.com' })
  const gone = await org.person({ name: 'Gone', email: 'gone@example.com' })
  const same = await org.person({ name: 'Same', email: 'same@example.com' })
  const tea = await org.channel({ name: 'tea, green', isPrivate: true })
  const usual = await org.channel({ name: 'usual', isDefault: true })
  const { body } = await org.owner.post('/user_groups/create', {
    name: 'Cooks',
    description: '',
    members: [],
  })
  const client = await org.owner.register()
  const path = await file(
    'people.csv',
    '\uFEFFEmail,Name,Role,Groups,Channels,State\r\n' +
      'new@example.com,"New ""N"" Person",moderator,cooks,"tea, green|usual",\r\n'.replaceAll('""N"" ', '') +
      'BEN@example.com,Benjamin,administrator,Cooks,"Tea, green",active\r\n' +
      'gone@example.com,,,,,deactivated\r\n' +
      'guest@example.com,A Guest,guest,,,\r\n' +
      '\r\n' +
      'same@example.com,Same,member,,,active',
  )
  const before = (await entriesOf(org.owner, { limit: 1000 })).length
  const dry = await json(org, 'user', 'import', path, '--dry-run')
  expect(dry).toMatchObject({ dry_run: true, created: 2, updated: 2, unchanged: 1, failed: 0 })
  expect(await entriesOf(org.owner, { limit: 1000 })).toHaveLength(before)

  const done = await json(org, 'user', 'import', path)
  expect(done).toMatchObject({ dry_run: false, created: 2, updated: 2, unchanged: 1, failed: 0 })
  expect(done.people).toMatchObject([
    {
      line: 2,
      email: 'new@example.com',
      outcome: 'created',
      changes: ['role moderator', 'group Cooks', 'channel tea, green', 'channel usual'],
    },
    {
      line: 3,
      id: ben.id,
      outcome: 'updated',
      changes: ['name Ben -> Benjamin', 'role member -> administrator', 'group Cooks', 'channel tea, green'],
    },
    { line: 4, id: gone.id, outcome: 'updated', changes: ['deactivated'] },
    { line: 5, outcome: 'created' },
    { line: 7, id: same.id, outcome: 'unchanged' },
  ])
  await org.log.catchUp()
  const { state } = org
  const fresh = done.people[0].id
  expect(state.users.get(fresh)).toMatchObject({ full_name: 'New Person', role: 300 })
  expect(state.users.get(gone.id)?.is_active).toBe(false)
  for (const id of [fresh, ben.id]) {
    expect(state.groupMembers.get(body.group_id, id)).toBeDefined()
    expect(state.subscription(id, tea.id)).toBeDefined()
  }
  expect(state.subscription(fresh, usual.id)).toBeDefined()
  expect(state.subscription(done.people[3].id, usual.id)).toBeUndefined()
  await client.expectStateToMatch()
  expect(await json(org, 'user', 'import', path)).toMatchObject({ created: 0, updated: 0, unchanged: 5 })
})

test('lines that cannot be carried out are reported, and the others are', async () => {
  const org = await all.organization()
  const path = await file(
    'faulty.csv',
    `email;name;role;channels;state
nonsense;Some Name;;;
ok@example.com;Okay;;;
OK@example.com;Again;;;
two@example.com;Two;king;;
three@example.com;Three;;nowhere;
four@example.com;;;;
five@example.com;Five;;;deactivated
${org.owner.email};;member;;
`,
  )
  const { status, stdout } = await rookery(org, 'user', 'import', path)
  expect(status).toBe(3)
  const problems = [
    'nonsense is not an email address.',
    'Line 3 is about the same address.',
    'There is no role king',
    'There is no channel nowhere.',
    'A new person needs a name.',
    'There is no account five@example.com to deactivate.',
    `${org.owner.email} is the only owner.`,
  ]
  for (const problem of problems) expect(stdout).toContain(problem)
  expect(stdout).toContain('1 created, 0 updated, 0 unchanged, 7 failed.')
})

test.each([
  ['', 'The file is empty'],
  ['name\nX', 'names no column email'],
  ['email,age\nx@example.com,3', 'There is no column age'],
  ['email,email\nx,y', 'occurs twice'],
  ['email,name\nx@example.com,X,Y', 'Line 2 has more cells'],
  ['email,name\nx@example.com,"X', 'Line 2 is not valid CSV'],
  [Buffer.from([0x65, 0xff]), 'is not in UTF-8'],
])('%j is refused whole', async (text, reason) => {
  const org = await all.organization()
  const output = await rookery(org, 'user', 'import', await file('bad.csv', text))
  expect(output.status).toBeGreaterThan(0)
  expect(output.stderr).toContain(reason)
})

test('a file without an end is read up to the limit', async () => {
  const org = await all.organization()
  const { status, stderr } = await rookery(org, 'user', 'import', '/dev/zero')
  expect({ status, stderr }).toEqual({ status: 1, stderr: '/dev/zero is larger than 33554432 bytes.\n' })
})
