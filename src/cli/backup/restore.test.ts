import { existsSync } from 'node:fs'
import { chown, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newDirectory, personOf, rookery, runHere, startServer } from '../../../test/command-line.ts'
import { sendFiles } from '../../../test/pictures.ts'
import { newDatabase } from '../../../test/runner/database.ts'
import { placesIn } from './manifest.ts'

const nobody = 65_534
const isRoot = process.geteuid?.() === 0

test('no server starts on half of a restore', async () => {
  const [folder, target] = [await newDirectory(), await newDirectory()]
  const server = await startServer({ ROOKERY_DATA: await newDirectory() })
  const owner = await personOf(server, await readFile(join(server.directory, 'zuliprc'), 'utf8'))
  const content = Buffer.from('of a file')
  const sent = await sendFiles(owner, 'POST', '/user_uploads', [{ name: 'a.bin', content }])
  expect(await runHere(`backup ${folder}`, server.environment)).toMatchObject({ status: 0 })
  await server.stop('SIGTERM')
  const [, path] = /\/user_uploads\/(\d+\/.*)\/a\.bin/.exec(sent.body.url)!
  const file = placesIn(folder).file(path!.replace('/', '/uploads/'))
  await rm(file)

  const there = { ROOKERY_DATA: target }
  if (isRoot) await chown(target, nobody, nobody)
  expect((await runHere(`restore ${folder}`, there)).stderr).toContain(`${file} cannot be read`)
  const advice = `Run rookery restore again, or delete ${target}/restoring to start without it.`
  const refused = { status: 1, stderr: `A restore into ${target} has not finished. ${advice}\n` }
  expect(await rookery('serve', { ...there, PORT: '0' })).toMatchObject(refused)
  expect(await runHere('user list', there)).toMatchObject(refused)
  const { stdout } = await runHere('doctor', there)
  expect(stdout).toContain(`FAIL  a restore into ${target} has not finished\n      ${advice}\n`)
  expect(stdout).not.toContain('no database yet')
  const { url } = await newDatabase()
  expect(await rookery('serve', { ...there, PORT: '0', DATABASE_URL: url })).toMatchObject(refused)

  await writeFile(file, content)
  expect(await runHere(`restore ${folder}`, there)).toMatchObject({ status: 0, stderr: '' })
  expect(existsSync(join(target, 'restoring'))).toBe(false)
  // Root restores for the owner of the directory.
  const paths = await readdir(target, { recursive: true })
  const owners = await Promise.all(paths.map(async (path) => (await stat(join(target, path))).uid))
  expect(new Set(owners)).toEqual(new Set([isRoot ? nobody : process.geteuid?.()]))
  const restored = await startServer(there)
  expect(await restored.stop('SIGTERM')).toBe(0)
})
