import { once } from 'node:events'
import { chmod, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newDirectory, personOf, runHere, startServer } from '../../test/command-line.ts'
import { success } from '../../test/http.ts'
import { Person } from '../../test/person.ts'
import { runScript } from '../../test/processes/script.ts'
import { readConfig } from '../config/config.ts'
import { knownSecretsOf, secretsOf } from './secret.ts'

const place = [1] as const

async function newPlace() {
  const directory = await newDirectory()
  return { config: readConfig({ ROOKERY_DATA: directory }), directory, file: join(directory, 'secret') }
}

test('the secret is made once, for this user only', async () => {
  const { config, directory, file } = await newPlace()
  const sealed = (await secretsOf(config)).seal('test', place, 'text')
  expect(await readFile(file, 'utf8')).toMatch(/^[0-9a-f]{64}\n$/)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  for (const secrets of [await secretsOf(config), await knownSecretsOf(config)]) {
    expect(secrets.open('test', place, sealed)).toBe('text')
  }
  expect(await readdir(directory)).toEqual(['secret'])
})

test('processes that begin concurrently agree', async () => {
  const { config, directory } = await newPlace()
  const sealAndTell = `
    import { readConfig } from './src/config/config.ts'
    import { secretsOf } from './src/cli/secret.ts'
    console.log((await secretsOf(readConfig(process.env))).seal('test', [1], 'text'))`
  const others = Array.from({ length: 3 }, async () => {
    const env = { ...process.env, ROOKERY_DATA: directory }
    const child = await runScript(sealAndTell, { env, stdio: ['pipe', 'pipe', 'inherit'] })
    const [told] = await once(child.stdout!.setEncoding('utf8'), 'data')
    return told.trim() as string
  })
  const told = await Promise.all(others)
  const secrets = await secretsOf(config)
  for (const sealed of told) expect(secrets.open('test', place, sealed)).toBe('text')
  expect(await readdir(directory)).toEqual(['secret'])

  const { config: other } = await newPlace()
  const made = await Promise.all(Array.from({ length: 20 }, () => secretsOf(other)))
  const sealed = made[0]!.seal('test', place, 'text')
  for (const one of made) expect(one.open('test', place, sealed)).toBe('text')
})

test('ROOKERY_SECRET goes before, and makes no file', async () => {
  const { config, directory, file } = await newPlace()
  const secret = 'a'.repeat(32)
  const sealed = (await secretsOf({ ...config, secret })).seal('test', place, 'text')
  expect(await readdir(directory)).toEqual([])
  await writeFile(file, `${secret}\n`)
  expect((await secretsOf(config)).open('test', place, sealed)).toBe('text')
  expect((await secretsOf({ ...config, secret: 'b'.repeat(32) })).open('test', place, sealed)).toBeUndefined()
})

test('a damaged secret is not written over', async () => {
  const { config, file } = await newPlace()
  await writeFile(file, '')
  await expect(secretsOf(config)).rejects.toThrow(/^The secret in \/.* is damaged: put back your copy of it/)
  expect(await readFile(file, 'utf8')).toBe('')
})

test('a command makes no secret', async () => {
  const { config, directory } = await newPlace()
  const sealed = (await knownSecretsOf(config)).seal('test', place, 'text')
  expect((await knownSecretsOf(config)).open('test', place, sealed)).toBeUndefined()
  expect(await readdir(directory)).toEqual([])
})

test('a server that has lost its secret starts, and bots log in; with the secret back, keys are read again', async () => {
  const directory = await newDirectory()
  const first = await startServer({ ROOKERY_DATA: directory })
  const owner = await personOf(first, await readFile(join(directory, 'zuliprc'), 'utf8'))
  const made = (await owner.post('/bots', { full_name: 'Helper', short_name: 'helper' })).body
  const bot = { id: made.user_id, name: 'Helper', email: 'helper-bot@localhost', key: made.api_key }
  const keys = async (port: number) => {
    const there = { ...owner.place, port }
    expect((await new Person(there, bot).get('/users/me')).body).toMatchObject(success)
    return (await owner.at(there).get('/bots')).body.bots.map(({ api_key }: { api_key: string }) => api_key)
  }
  expect(await keys(first.port)).toEqual([bot.key])
  const file = join(directory, 'secret')
  expect((await runHere('doctor', first.environment)).stdout).toContain(
    `ok    the secret in ${file}, for this user only\n`,
  )

  await first.stop('SIGTERM')
  await rename(file, `${file}.away`)
  expect((await runHere('doctor', first.environment)).stdout).toContain(
    `FAIL  the secret in ${file} is lost\n`,
  )
  const second = await startServer({ ROOKERY_DATA: directory, ROOKERY_LOG_LEVEL: 'warn' })
  expect(second.stdout).toContain(
    `"msg":"The server had no secret, and has made one in ${file}. If these data`,
  )
  expect(await keys(second.port)).toEqual([''])
  await chmod(file, 0o644)
  const { stdout } = await runHere('doctor', second.environment)
  expect(stdout).toMatch(/^warn {2}1 of 1 API keys of bots were sealed with another secret/m)
  expect(stdout).toMatch(/^warn {2}the secret in .* can be read by others\n {6}chmod 600 /m)

  await second.stop('SIGTERM')
  const secret = await readFile(`${file}.away`, 'utf8')
  const third = await startServer({ ROOKERY_DATA: directory, ROOKERY_SECRET: secret })
  expect(await keys(third.port)).toEqual([bot.key])
  const create = `key create ${bot.email} --client other`
  const another = /^key=(\w{32})$/m.exec((await runHere(create, third.environment)).stdout)![1]
  await expect.poll(() => keys(third.port)).toEqual([another])
})
