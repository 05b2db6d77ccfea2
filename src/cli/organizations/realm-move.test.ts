import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { newDirectory, rookery, runHere, startServer } from '../../../test/command-line.ts'
import { contentsOf, sender } from '../../../test/messages.ts'
import { newOrganization } from '../../../test/organization.ts'
import { sendFiles } from '../../../test/pictures.ts'
import { severalDatabases } from '../../../test/processes/several-databases.ts'
import { databaseLimits } from '../../db/limits.ts'
import { copyLock, moveLock } from '../../db/move-lock.ts'
import { compareFiles } from '../../features/clients/stored-files/compare.ts'
import { systemClock } from '../../lib/clock.ts'
import { serverActor } from '../../log/audit/actor.ts'
import { noteWhereOpen } from '../../log/audit/note.ts'
import { logLimits } from '../../log/limits.ts'
import { RealmDatabase } from '../../log/realm-database.ts'

const { all, environment, rowsIn, connectionsTo, move, block, gateAt } = severalDatabases()

test('is served like any other, and leaves nothing in the main one', async () => {
  const org = await newOrganization(all.node, 'elsewhere', 'second')
  const [anna, channel] = [await org.person({ name: 'Anna' }), await org.channel()]
  await anna.post('/users/me/subscriptions', { subscriptions: [{ name: channel.name }] })
  const client = await anna.register({ event_types: ['message'] })
  await sender(org.owner, channel)('greetings', 'hello')
  expect((await client.events()).map((event) => event.message.content)).toEqual(['<p>hello</p>'])
  const other = await all.anotherNode()
  expect(await contentsOf(anna.at(other), channel)).toEqual([['greetings', 'hello']])
  expect(Object.keys(await rowsIn('main', org))).toEqual([])
  expect((await org.owner.get('/realm/subdomain/elsewhere')).body.msg).toBe('Another organization has it.')
  const list = await runHere('realm list', await environment())
  expect(list.stdout).toMatch(/^elsewhere .*active +second$/m)
})

test('is made by a command, under a name that no database has', async () => {
  const command = 'realm create made --email owner@example.com --database'
  expect(await runHere(`${command} nowhere`, await environment())).toMatchObject({ status: 2 })
  expect(await runHere(`${command} second`, await environment())).toMatchObject({ status: 0 })
  expect(await runHere(`${command} third`, await environment())).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('There is an organization made already'),
  })
})

test('that cannot be made leaves nothing in the directory', async () => {
  const { pool } = connectionsTo('second')
  await pool.query('ALTER TABLE channel ADD CONSTRAINT none CHECK (false) NOT VALID')
  onTestFinished(async () => void (await pool.query('ALTER TABLE channel DROP CONSTRAINT none')))
  const places = () => connectionsTo('main').read.selectFrom('realm_place').selectAll().execute()
  const before = await places()
  const create = 'realm create unmade --email owner@example.com --database second'
  expect(await runHere(create, await environment())).toMatchObject({ status: 1 })
  expect(await places()).toEqual(before)
})

test('takes no name that an import into another database is giving', async () => {
  await newOrganization(all.node, 'template')
  const file = join(await newDirectory(), 'export.tar.gz')
  expect(await runHere(`export ${file} --realm template`, await environment())).toMatchObject({ status: 0 })
  const gate = await gateAt('main', 'account')
  const importing = rookery(`import ${file} --realm wanted`, await environment())
  await expect.poll(gate.isAwaited).toBe(true)
  const create = 'realm create wanted --email owner@example.com --database second'
  expect(await runHere(create, await environment())).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('Another command is giving the name wanted'),
  })
  await gate.open()
  expect(await importing).toMatchObject({ status: 0 })
})

test('is neither backed up nor restored by commands that know one database', async () => {
  for (const command of ['backup', 'restore']) {
    const folder = await newDirectory()
    const run = await runHere(`${command} ${folder}`, await environment())
    expect(run).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('ROOKERY_DATABASES names others'),
    })
  }
})

test('no server starts, and no command runs, where an organization is not in the database that main names', async () => {
  const { id } = await newOrganization(all.node, 'contrary', 'second')
  const say = (database: string) =>
    connectionsTo('main').pool.query('UPDATE realm_place SET database = $1 WHERE realm_id = $2', [
      database,
      id,
    ])
  await say('third')
  const fault = `Organization ${id} is in the database second, but main says that it is in third`
  for (const command of ['serve', 'realm list', 'doctor']) {
    const { status, stdout, stderr } = await runHere(command, await environment())
    expect([status, stdout + stderr]).toEqual([1, expect.stringContaining(fault)])
  }
  await say('second')
  expect(await runHere('realm list', await environment())).toMatchObject({ status: 0 })
})

test('a start with two names exchanged is refused, and clients keep their event queues', async () => {
  const org = await newOrganization(all.node, 'exchanged', 'second')
  const client = await org.owner.register({ event_types: ['user_status'] })
  const { ROOKERY_URL: _, ...given } = await environment()
  const server = await startServer(given)
  await server.stop('SIGTERM')
  const [second = '', third = ''] = given.ROOKERY_DATABASES.split('; ')
  const names = `${second.replace('second', 'third')}; ${third.replace('third', 'second')}`
  const exchanged = await runHere('serve', { ...given, ROOKERY_DATABASES: names })
  expect(exchanged).toMatchObject({ status: 1, stderr: expect.stringContaining('names them wrongly') })
  await org.owner.post('/users/me/status', { status_text: 'here' })
  expect(await client.events()).toMatchObject([{ status_text: 'here' }])
})

test('no server starts if two names are of the same database', async () => {
  const given = await environment()
  const [second] = given.ROOKERY_DATABASES.split('; ')
  const twice = { ...given, ROOKERY_DATABASES: `${second}; ${second?.replace('second', 'third')}` }
  for (const command of ['serve', 'realm list']) {
    const { status, stdout, stderr } = await runHere(command, twice)
    expect([status, stdout + stderr]).toEqual([
      1,
      expect.stringContaining('The database third is also named'),
    ])
  }
})

test('realm move moves one, and says for how long nobody could write', async () => {
  const org = await newOrganization(all.node, 'moving')
  const channel = await org.channel({ subscribers: [org.owner] })
  const client = await org.owner.register({ event_types: ['message'] })
  const run = async (words: string) => runHere(words, await environment())
  expect(await run('realm move moving')).toMatchObject({ status: 2 })
  expect(await run('realm move moving --to nowhere')).toMatchObject({ status: 2 })
  const moved = await run('realm move moving --to second --json')
  expect(moved).toMatchObject({ status: 0 })
  expect(JSON.parse(moved.stdout)).toMatchObject({ organization: { name: 'moving' }, database: 'second' })
  expect(JSON.parse(moved.stdout).pause_ms).toBeLessThan(logLimits.movePauseSeconds * 1000)
  await sender(org.owner, channel)('after', 'here')
  expect((await client.events()).map(({ message }) => message.content)).toEqual(['<p>here</p>'])
  expect((await run('realm move moving --to second')).stderr).toContain('is in the database second already')
  expect((await run('realm move moving --to main')).stderr).toContain(
    'was moved away from there a moment ago',
  )
  expect((await run('audit --kind organization.move --realm moving')).stdout).toContain('realm move')
  expect((await run('realm deactivate --realm moving')).status).toBe(0)
  // A move that hangs there would add rows after the deletion.
  const hold = await block('third', `SELECT pg_advisory_xact_lock(${copyLock}, ${org.id})`)
  const refused = await run('realm delete --realm moving --confirm moving')
  expect(refused.stderr).toContain(
    'Another command or a server writes rows of this organization in the database third',
  )
  expect(Object.keys(await rowsIn('second', org))).toContain('message')
  await hold.release()
  expect((await run('realm delete --realm moving --confirm moving')).status).toBe(0)
  for (const name of ['main', 'second']) expect(await rowsIn(name, org)).toEqual({})
  const places = connectionsTo('main').read.selectFrom('realm_place').where('realm_id', '=', org.id)
  expect(await places.select('realm_id').execute()).toEqual([])
})

test('realm delete that waits for a move deletes the organization where it has gone', async () => {
  const org = await newOrganization(all.node, 'leaving')
  const run = async (words: string) => runHere(words, await environment())
  expect(await run('realm deactivate --realm leaving')).toMatchObject({ status: 0 })
  const gate = await gateAt('third', 'account')
  const moving = move(org, 'third')
  await expect.poll(gate.isAwaited).toBe(true)
  const deleting = run('realm delete --realm leaving --confirm leaving')
  const waiting = () =>
    connectionsTo('main').pool.query(
      'SELECT FROM pg_locks WHERE classid = $1 AND objid = $2 AND NOT granted',
      [moveLock, org.id],
    )
  await expect.poll(async () => (await waiting()).rowCount).toBe(1)
  await gate.open()
  await moving
  expect(await deleting).toMatchObject({ status: 0 })
  for (const name of ['main', 'third']) expect(await rowsIn(name, org)).toEqual({})
})

test('files check that began where an organization was before does not take newer files for unknown', async () => {
  const org = await newOrganization(all.node, 'followed')
  const database = await RealmDatabase.find(all.node.app.realms.places, org.id)
  await move(org, 'second')
  await sendFiles(org.owner, 'POST', '/user_uploads', [{ name: 'a.txt', content: Buffer.from('new') }])
  const compared = await database.whereOpen((read) => compareFiles(read, all.adapters.files, org.id))
  expect(compared).toEqual({ expected: 1, missing: [], unrecorded: [] })
})

test('an export that ends where an organization was before is in the audit log where it is', async () => {
  const org = await newOrganization(all.node, 'exported')
  const database = await RealmDatabase.find(all.node.app.realms.places, org.id)
  await move(org, 'second')
  await noteWhereOpen(database, org.id, serverActor, { kind: 'export.write', object: 'organization' }, 0)
  const audit = await runHere('audit --kind export.write --realm exported', await environment())
  expect(audit.stdout).toContain('export.write')
})

test('a database that does not respond leaves the server ready, and delays no work of the others', async () => {
  const [org, away] = [await all.organization(), await newOrganization(all.node, 'away', 'third')]
  const channel = await org.channel({ subscribers: [org.owner] })
  expect((await away.owner.get('/users/me')).status).toBe(200)
  const message = { type: 'channel', to: channel.id, topic: 'later', content: 'hello' }
  const at = systemClock() + 3_600
  await org.owner.post('/scheduled_messages', { ...message, scheduled_delivery_timestamp: at })
  const hold = await block('third', 'LOCK TABLE realm_head IN ACCESS EXCLUSIVE MODE')
  all.pass(3_601)
  await expect.poll(() => contentsOf(org.owner, channel)).toHaveLength(1)
  await expect.poll(hold.isAwaited).toBe(true)
  await expect.poll(() => all.node.app.realms.secondsBehind).toBeLessThan(1)
  await hold.release()
})

test('a database that does not respond delays no first request to an organization of another one', async () => {
  const { owner } = await all.organization()
  const node = await all.anotherNode()
  const hold = await block('third', 'LOCK TABLE realm IN ACCESS EXCLUSIVE MODE')
  const begun = performance.now()
  expect((await owner.at(node).get('/users/me')).status).toBe(200)
  expect(performance.now() - begun).toBeLessThan(databaseLimits.statementSeconds * 1000)
  await hold.release()
})
