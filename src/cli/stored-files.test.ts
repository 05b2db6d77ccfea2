import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newDirectory, personOf, runHere, type Server, startServer } from '../../test/command-line.ts'
import type { Person } from '../../test/person.ts'
import { look, png, sendFiles } from '../../test/pictures.ts'
import { type BucketServer, startBucketServer } from '../../test/programs/bucket-server.ts'
import { newDatabase } from '../../test/runner/database.ts'
import { withClient } from './database/with-client.ts'
import { takeName } from './organizations/realm.ts'

let database: Awaited<ReturnType<typeof newDatabase>>
let bucket: BucketServer
let server: Server
let owner: Person
let environment: NodeJS.ProcessEnv
let withBucket: NodeJS.ProcessEnv
let url: string
let avatar: string

/** The path of the upload in a store. */
let uploaded: string

beforeAll(async () => {
  database = await newDatabase()
  bucket = await startBucketServer()
  environment = { DATABASE_URL: database.url, ROOKERY_DATA: await newDirectory() }
  withBucket = { ...environment, ...bucket.settings }
  const before = await startServer(environment)
  owner = await personOf(before, readFileSync(join(before.directory, 'zuliprc'), 'utf8'))
  url = (await sendFiles(owner, 'POST', '/user_uploads', [{ content: await png() }])).body.url
  avatar = (await sendFiles(owner, 'POST', '/users/me/avatar', [{ content: await png() }])).body.avatar_url
  uploaded = url.replace(/^\/user_uploads\/(\d+)\/([^/]+\/[^/]+)\/.*/, '$1/uploads/$2')
  await before.stop('SIGTERM')
  server = await startServer(withBucket)
  const { port } = server
  owner = owner.at({ ...owner.place, port })
}, 180_000)

afterAll(async () => {
  await server?.stop('SIGTERM')
  bucket?.stop()
  await database?.drop()
})

test('a server whose files are in another store says so when it starts, and doctor too', async () => {
  expect((await look(owner, url)).status).toBe(404)
  const said = /holds files that nobody can open, as uploads are in the bucket files/
  const logged = () => server.logged.map(({ msg }) => msg).join('\n')
  await expect.poll(logged).toMatch(said)
  await expect.poll(logged).toMatch(/1 of 1 uploads looked at are not in/)
  const { stdout } = await runHere('doctor', withBucket)
  expect(stdout).toMatch(said)
  expect(stdout).toMatch(/FAIL +1 of 1 uploads looked at are not in the bucket files/)
  expect(stdout).toContain('rookery files move bucket')
})

test('an export that misses files names them and fails, unless they may be missing', async () => {
  const file = join(await newDirectory(), 'export.tar.gz')
  const refused = await runHere(`export ${file}`, withBucket)
  expect(refused).toMatchObject({ status: 1, stdout: '' })
  expect(refused.stderr).toContain(uploaded)
  expect(refused.stderr).toMatch(/^The export is not complete: 4 of its files are not in the file store/)
  expect(existsSync(file)).toBe(false)
  expect(await runHere(`export ${file} --allow-missing`, withBucket)).toMatchObject({ status: 0 })
  expect(existsSync(file)).toBe(true)
})

test('an export that an administrator asks for fails, and tells them why', async () => {
  await owner.post('/export/realm')
  const current = async () => (await owner.get('/export/realm')).body.exports[0]
  await expect.poll(async () => (await current()).failed_timestamp).not.toBe(null)
  const { messages } = (await owner.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 })).body
  expect(messages[0].content).toContain('could not be made. The export is not complete: 2 of its files')
})

test('files check names missing files, and files without a record', async () => {
  bucket.objects.set('1/uploads/00/stray', Buffer.from('x'))
  const { status, stdout } = await runHere('files check', withBucket)
  expect(status).toBe(1)
  expect(stdout).toMatch(/^Rookery: 4 files, 4 missing, 1 that nobody knows of\.$/m)
  expect(stdout).toContain(`missing    ${uploaded}`)
  expect(stdout).toContain('unknown    1/uploads/00/stray')
  expect(bucket.objects.has('1/uploads/00/stray')).toBe(true)
  await runHere('files check --remove-unrecorded', withBucket)
  expect(bucket.objects.has('1/uploads/00/stray')).toBe(false)
})

test('files check names the folder of an organization that is not in the database', async () => {
  bucket.objects.set('77/uploads/00/left', Buffer.from('x'))
  const { stdout } = await runHere('files check --remove-unrecorded', withBucket)
  expect(stdout).toMatch(/^77\/ has 1 files of an organization that the database does not have/m)
  expect(bucket.objects.has('77/uploads/00/left')).toBe(true)
})

test('files check removes the folder of an organization that is not in the database, while no other is made', async () => {
  bucket.objects.set('77/uploads/00/left', Buffer.from('x'))
  const remove = () => runHere('files check --remove-orphaned', withBucket)
  await withClient(database.url, async (client) => {
    await takeName(client, 'new', async () => undefined)
    expect(await remove()).toMatchObject({ status: 1, stdout: '' })
    expect((await remove()).stderr).toContain('Another command is making an organization')
  })
  expect(bucket.objects.has('77/uploads/00/left')).toBe(true)
  const { stdout } = await remove()
  expect(stdout).toMatch(
    /^77\/ had 1 files of an organization that the database does not have: they are removed\.$/m,
  )
  expect(bucket.objects.has('77/uploads/00/left')).toBe(false)
})

test('files move brings them into the bucket, where the server finds them, and back', async () => {
  leaveUnfinished()
  const moved = await runHere('files move bucket', withBucket)
  expect(moved).toMatchObject({ status: 0, stdout: '4 files are now in the bucket files.\n' })
  expect((await look(owner, url)).status).toBe(200)
  expect((await look(owner, avatar)).status).toBe(200)
  expect(filesBelow(environment.ROOKERY_DATA!)).toEqual([])
  expect(await runHere('files check', withBucket)).toMatchObject({ status: 0 })
  const file = join(await newDirectory(), 'export.tar.gz')
  expect(await runHere(`export ${file}`, withBucket)).toMatchObject({ status: 0 })

  const back = await runHere('files move directory', withBucket)
  expect(back.stdout).toMatch(/^4 files are now in .*uploads\.$/m)
  expect(back.stdout).toContain('The server uses the bucket until ROOKERY_S3_BUCKET is unset')
  expect(filesBelow(environment.ROOKERY_DATA!)).toHaveLength(4)
  expect((await runHere('files move directory', withBucket)).stdout).toMatch(
    /^0 files .*; 4 had been there already/,
  )
})

test('files move takes along what is stored while it runs', async () => {
  const late: string[] = []
  const set = bucket.objects.set.bind(bucket.objects)
  bucket.objects.clear()
  // The command has listed the folder of its first file by now.
  bucket.objects.set = (path, content) => {
    if (late.length === 0) {
      late.push(join(dirname(path), 'late'))
      writeFileSync(join(environment.ROOKERY_DATA!, 'uploads', late[0]!), 'late')
    }
    return set(path, content)
  }
  const { stdout } = await runHere('files move bucket', withBucket)
  bucket.objects.set = set
  expect(stdout).toBe('5 files are now in the bucket files.\n')
  expect(bucket.objects.get(late[0]!)!.toString()).toBe('late')
  expect(filesBelow(environment.ROOKERY_DATA!)).toEqual([])
})

test('files move needs a bucket, and a store that there is', async () => {
  // Beside a server, commands take its settings.
  const elsewhere = { ...environment, ROOKERY_DATA: await newDirectory() }
  expect(await runHere('files move bucket', elsewhere)).toMatchObject({
    stderr: 'ROOKERY_S3_BUCKET names no bucket.\n',
  })
  expect(await runHere('files move tape', withBucket)).toMatchObject({ status: 2 })
})

/** Leaves what a server that was killed had not received whole. No process has this number. */
function leaveUnfinished() {
  const directory = join(environment.ROOKERY_DATA!, 'uploads', '.unfinished')
  writeFileSync(join(directory, `${hostname()}.4194305.0a1b2c3d.half`), 'half of it')
}

function filesBelow(directory: string): string[] {
  const entries = readdirSync(join(directory, 'uploads'), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}
