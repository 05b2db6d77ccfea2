import { describe, expect, test } from 'vitest'
import { entriesOf } from '../../test/audit-entries.ts'
import { runHere } from '../../test/command-line.ts'
import { administer } from '../../test/processes/administer.ts'
import { testServer } from '../../test/test-server.ts'
import { roles } from '../db/roles.ts'

const all = testServer()
const { rookery, json } = administer(all)

describe('users', () => {
  test('are deactivated, reactivated, renamed and given another address, and clients hear of it', async () => {
    const org = await all.organization()
    const ben = await org.person({ name: 'Ben', email: 'ben@example.com' })
    const client = await org.owner.register()
    expect(await rookery(org, 'user', 'deactivate', 'ben@example.com')).toMatchObject({
      status: 0,
      stdout: 'Ben <ben@example.com> is deactivated now.\n',
    })
    await org.log.catchUp()
    expect((await ben.get('/users/me')).status).toBe(401)
    await json(org, 'user', 'reactivate', 'ben@example.com')
    await json(org, 'user', 'rename', 'ben@example.com', 'Benjamin B')
    expect(await json(org, 'user', 'email', 'ben@example.com', 'Ben@example.org')).toMatchObject({
      result: 'success',
      user: {
        id: ben.id,
        email: 'Ben@example.org',
        full_name: 'Benjamin B',
        is_active: true,
        role: 'member',
      },
    })
    await org.log.catchUp()
    expect(org.state.users.get(ben.id)).toMatchObject({
      full_name: 'Benjamin B',
      delivery_email: 'Ben@example.org',
    })
    await client.expectStateToMatch()
    const made = (await entriesOf(org.owner, { limit: 1000 })).filter(({ means }) => means === 'command')
    expect(made[0]).toMatchObject({
      kind: 'user.update',
      operation: 'user email',
      actor_id: null,
      os_user: expect.stringMatching(/./),
      ip: null,
      before: { delivery_email: 'ben@example.com' },
    })
  })

  test('become owners of an organization that has none, as an import may make', async () => {
    const org = await all.organization()
    const { id, email } = await org.person({ role: 'administrator' })
    await org.log.commit((change) => change.update('account', { id: org.owner.id, role: roles.member }))
    expect(await rookery(org, 'channel', 'create', 'Tea')).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/has no owner; rookery user role EMAIL owner makes one\.\n$/),
    })
    expect(await rookery(org, 'user', 'role', email, 'owner')).toMatchObject({ status: 0 })
    await org.log.catchUp()
    expect(org.state.users.get(id)).toMatchObject({ role: roles.owner })
    expect(await rookery(org, 'channel', 'create', 'Tea')).toMatchObject({ status: 0 })
  })

  test.each([
    [['user', 'deactivate', 'nobody@example.com'], 1, 'There is nobody with the address nobody@example.com'],
    [['user', 'deactivate', 'OWNER'], 1, 'Cannot deactivate the only organization owner'],
    [['user', 'reactivate', 'OWNER'], 1, 'is active.'],
    [['user', 'rename', 'OWNER', 'x'], 1, 'Name too short!'],
    [['user', 'rename', 'OWNER', ' '], 2, 'The NAME is empty.'],
    [['user', 'email', 'OWNER', 'nonsense'], 2, 'nonsense is not an email address.'],
    [['user', 'email', 'OWNER', 'taken@example.com'], 1, 'Email is already in use.'],
    [['user', 'email', 'OWNER'], 2, 'rookery user email needs NEW; see rookery user email --help.'],
  ])('%j is refused, and changes nothing', async (words, status, reason) => {
    const org = await all.organization()
    await org.person({ email: 'taken@example.com' })
    const before = await entriesOf(org.owner, { limit: 1000 })
    const output = await rookery(org, ...words.map((word) => (word === 'OWNER' ? org.owner.email : word)))
    expect(output).toMatchObject({ status, stdout: '' })
    expect(output.stderr).toContain(reason)
    expect(await entriesOf(org.owner, { limit: 1000 })).toEqual(before)
  })
})

describe('channels', () => {
  test('are made, changed, filled, emptied, archived and restored', async () => {
    const org = await all.organization()
    const [ben, eva] = [
      await org.person({ email: 'ben@example.com' }),
      await org.person({ email: 'eva@example.com' }),
    ]
    const client = await org.owner.register()
    const made = await json(
      org,
      'channel',
      'create',
      'Tea time',
      '--description',
      'Of *tea*',
      '--user',
      ben.email,
    )
    expect(made.channel).toMatchObject({ name: 'Tea time', privacy: 'public', subscriber_count: 1 })
    expect(await json(org, 'channel', 'subscribe', 'tea time', '--all')).toMatchObject({ count: 2 })
    expect(await json(org, 'channel', 'unsubscribe', 'Tea time', '--user', eva.email)).toMatchObject({
      count: 1,
    })
    await json(org, 'channel', 'update', String(made.channel.id), '--name', 'Coffee', '--privacy', 'private')
    await json(org, 'channel', 'archive', 'Coffee')
    expect((await rookery(org, 'channel', 'list')).stdout).not.toContain('Coffee')
    expect((await rookery(org, 'channel', 'list', '--archived')).stdout).toMatch(
      /Coffee +private +2 +archived/,
    )
    await json(org, 'channel', 'restore', 'Coffee')
    const { channels } = await json(org, 'channel', 'list')
    expect(channels).toContainEqual({
      id: made.channel.id,
      name: 'Coffee',
      description: 'Of *tea*',
      privacy: 'private',
      is_default: false,
      is_archived: false,
      subscriber_count: 2,
    })
    await org.log.catchUp()
    await client.expectStateToMatch()
  })

  test.each([
    [['channel', 'create', 'Taken'], 1, 'There is a channel Taken already.'],
    [['channel', 'create', 'x', '--private', '--default'], 2, 'A default channel cannot be private.'],
    [['channel', 'archive', 'none'], 1, 'There is no channel none in'],
    [['channel', 'subscribe', 'Taken'], 2, 'Whom? Give --user EMAIL'],
    [['channel', 'update', 'Taken'], 2, 'Nothing is to be changed'],
    [['channel', 'update', 'Taken', '--privacy', 'secret'], 2, 'There is no privacy secret'],
    [['channel', 'restore', 'Taken'], 1, 'Channel is not currently deactivated'],
  ])('%j is refused', async (words, status, reason) => {
    const org = await all.organization()
    await org.channel({ name: 'Taken' })
    const output = await rookery(org, ...words)
    expect(output).toMatchObject({ status, stdout: '' })
    expect(output.stderr).toContain(reason)
  })
})

describe('settings', () => {
  test('are shown, and set as by PATCH /realm', async () => {
    const org = await all.organization()
    const client = await org.owner.register()
    expect((await rookery(org, 'settings', 'set', 'waiting_period_threshold', '3')).stdout).toBe(
      'waiting_period_threshold: 0 -> 3\n',
    )
    await json(org, 'settings', 'set', 'name', 'The Club')
    await json(org, 'settings', 'set', 'message_content_edit_limit_seconds', 'unlimited')
    await json(org, 'settings', 'set', 'can_create_groups', 'role:administrators')
    await json(org, 'settings', 'set', 'audit_log_retention_days', '90')
    const { settings } = await json(org, 'settings', 'get')
    expect(settings).toMatchObject({
      name: 'The Club',
      waiting_period_threshold: 3,
      message_content_edit_limit_seconds: null,
      can_create_groups: 'role:administrators',
      audit_log_retention_days: 90,
    })
    expect((await rookery(org, 'settings', 'get', 'name')).stdout).toBe('The Club\n')
    await org.log.catchUp()
    await client.expectStateToMatch()
  })

  test.each([
    [['settings', 'get', 'wating_period_threshold'], 2, 'did you mean waiting_period_threshold?'],
    [['settings', 'set', 'nonsense', '1'], 2, 'There is no setting nonsense'],
    [['settings', 'set', 'name', ' '], 2, "An organization's full name must be"],
    [
      ['settings', 'set', 'invite_required', 'perhaps'],
      2,
      'invite_required cannot be perhaps; it is true now.',
    ],
    [['settings', 'set', 'can_create_groups', 'no such group'], 2, 'There is no group no such group'],
    [['settings', 'set', 'audit_log_retention_days', '3'], 1, 'from 30 to 36500'],
  ])('%j is refused', async (words, status, reason) => {
    const org = await all.organization()
    const output = await rookery(org, ...words)
    expect(output).toMatchObject({ status, stdout: '' })
    expect(output.stderr).toContain(reason)
  })
})

describe('organizations', () => {
  test('are deactivated, renamed and deleted, on running servers as well', async () => {
    const [org, other] = [await all.organization(), await all.organization()]
    const ben = await org.person()
    await ben.post('/messages', { type: 'direct', to: [ben.id], content: 'hi' })
    expect((await ben.get('/users/me')).status).toBe(200)
    const taken = await rookery(org, 'realm', 'rename', other.state.row.subdomain)
    expect(taken).toMatchObject({ status: 1, stderr: expect.stringContaining('already') })

    await json(org, 'realm', 'rename', 'renamed-club')
    await org.log.catchUp()
    expect((await ben.get('/users/me')).body.code).toBe('NONEXISTENT_SUBDOMAIN')
    const moved = ben.at({ ...ben.place })
    Object.assign(moved.place, { host: ben.place.host.replace(/^[^.]+/, 'renamed-club') })
    expect((await moved.get('/users/me')).status).toBe(200)

    expect((await rookery(org, 'realm', 'delete', '--confirm', org.state.row.name)).stderr).toContain(
      'is not deactivated',
    )
    await json(org, 'realm', 'deactivate')
    await org.log.catchUp()
    expect((await moved.get('/users/me')).status).toBe(401)
    const unnamed = await runHere('realm delete', { DATABASE_URL: all.databaseUrl })
    expect(unnamed).toMatchObject({ status: 2, stderr: expect.stringContaining('Give --realm NAME') })
    const unsure = await rookery(org, 'realm', 'delete')
    expect(unsure).toMatchObject({ status: 2, stderr: expect.stringContaining('--confirm') })
    expect((await rookery(org, 'realm', 'delete', '--confirm', org.state.row.name)).status).toBe(0)
    await expect.poll(async () => (await moved.get('/users/me')).status).toBe(404)
    const { rows } = await all.node.app.realms.connections.pool.query(
      `SELECT count(*)::int AS count FROM audit_entry WHERE realm_id = ${org.id}`,
    )
    expect(rows[0].count).toBe(0)
    expect((await other.owner.get('/users/me')).status).toBe(200)
  })
})

describe('the audit log', () => {
  test('is shown, filtered, and exported as JSON and CSV', async () => {
    const org = await all.organization()
    const ben = await org.person({ name: '=Ben', email: 'ben@example.com' })
    await org.owner.patch(`/users/${ben.id}`, { role: 200 })
    await json(org, 'user', 'deactivate', ben.email)
    const { stdout } = await rookery(org, 'audit')
    expect(stdout).toMatch(/user\.update +user \d+ \(=Ben\) .* role: 400 -> 200/)
    expect(stdout).toMatch(/user\.deactivate .*rookery user deactivate, by /)
    const lines = (await rookery(org, 'audit', '--json', '--since', '1d')).stdout.trim().split('\n')
    const entries = lines.map((line) => JSON.parse(line))
    expect(entries).toEqual([...(await entriesOf(org.owner, { limit: 1000 }))].reverse())
    const csv = (
      await rookery(org, 'audit', '--csv', '--object', 'user', '--id', String(ben.id))
    ).stdout.split('\n')
    expect(csv[0]).toBe(Object.keys(entries[0]).join(','))
    expect(csv.some((line) => line.includes('user.update,user,') && line.includes("'=Ben"))).toBe(true)
    const own = (await rookery(org, 'audit', '--actor', org.owner.email, '--kind', 'user')).stdout
    expect(own).toContain('user.update')
    expect(own).not.toContain('user.deactivate')
  })

  test.each([
    [['audit', '--kind', 'nonsense'], 'There is no kind nonsense'],
    [['audit', '--object', 'thing'], 'There is no object thing'],
    [['audit', '--since', 'yesterday'], '--since needs a time'],
    [['audit', '--limit', 'x'], '--limit needs a number'],
    [['audit', '--limit', '10001'], '--limit is at most 10000; --json and --csv write all entries.'],
    [['audit', '--json', '--csv'], 'not both'],
    [['audit', '--csv', '--limit', '3'], 'leave out --limit'],
    [['audit', '--json', '--limit', '3'], 'leave out --limit'],
  ])('%j is not understood', async (words, reason) => {
    const org = await all.organization()
    const output = await rookery(org, ...words)
    expect(output.status).toBe(2)
    expect(output.stderr).toContain(reason)
  })
})
