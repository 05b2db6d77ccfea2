import { exec, spawn } from 'node:child_process'
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test, vi } from 'vitest'
import { freePort } from '../src/lib/network/free-port.ts'
import { newDirectory, settingNames } from './command-line.ts'
import { Caller } from './person.ts'
import { newDatabase } from './runner/database.ts'
import { repository } from './runner/source.ts'
import { testServer } from './test-server.ts'

const here = testServer()
const run = promisify(exec)
const patience = { timeout: 60_000 }

test('the build runs as the command of the README, and says which build it is', {
  timeout: 240_000,
}, async () => {
  await run('npm run --silent build')
  const { stdout } = await run('npx --offline rookery help')
  expect(stdout).toMatch(/^Usage: rookery COMMAND\n/)
  const { stdout: version } = await run('node dist/main.js --version')
  const commit = await run('git rev-parse --short=10 HEAD').catch(() => undefined)
  expect(version).toMatch(/^rookery \d+\.\d+\.\d+/)
  expect(version).toContain(commit ? `(commit ${commit.stdout.trim()}` : '')

  const { stdout: silence, stderr } = await run('sh -c "node dist/main.js help; echo $? >&2" | true')
  expect({ silence, stderr }).toEqual({ silence: '', stderr: '0\n' })
})

test('an export names the build that made it', { timeout: 240_000 }, async () => {
  await run('node scripts/build.mjs --if-needed')
  const { log } = await here.organization()
  const directory = await newDirectory()
  const file = join(directory, 'export.tar.gz')
  const { subdomain } = log.state.row
  const env = { ...process.env, DATABASE_URL: here.databaseUrl, ROOKERY_DATA: directory }
  await run(`node dist/main.js export --realm ${subdomain} ${file}`, { env })
  const { stdout: manifest } = await run(`tar -xzOf ${file} manifest.json`)
  const { stdout: version } = await run('node dist/main.js --version')
  expect(`rookery ${JSON.parse(manifest).made_by}`).toBe(version.trim())
  const commit = await run('git rev-parse --short=10 HEAD').catch(() => undefined)
  expect(version).toContain(commit ? `(commit ${commit.stdout.trim()}` : '')
})

test('npm start ends with the server, and compiles nothing that is compiled', {
  timeout: 240_000,
}, async () => {
  await run('node scripts/build.mjs --if-needed')
  const { mtimeMs } = await stat('dist/main.js')
  const [database, port] = [await newDatabase(), await freePort()]
  const others = Object.entries(process.env).filter(([name]) => !settingNames.includes(name))
  const settings = { DATABASE_URL: database.url, ROOKERY_DATA: await newDirectory(), PORT: String(port) }
  const npm = spawn('npm', ['start'], {
    env: { ...Object.fromEntries(others), ...settings },
    stdio: 'ignore',
  })
  const ended = once(npm, 'exit')
  const ask = () => new Caller({ port, host: 'localhost' }).get('/server_settings')
  try {
    await vi.waitFor(async () => expect((await ask()).status).toBe(200), patience)
  } finally {
    npm.kill('SIGTERM')
    await ended
  }
  await vi.waitFor(() => expect(ask()).rejects.toThrow('ECONNREFUSED'), patience)
  expect((await stat('dist/main.js')).mtimeMs).toBe(mtimeMs)
  await database.drop()
})

test('the package has what the program reads, compiled, and neither sources nor tests', {
  timeout: 240_000,
}, async () => {
  await run('node scripts/build.mjs --if-needed')
  const { stdout } = await run('npm pack --dry-run --json --ignore-scripts')
  const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }]
  const paths = files.map(({ path }) => path)
  expect(paths).toEqual(
    expect.arrayContaining([
      'dist/main.js',
      'dist/mail-reader.js',
      'dist/server.js',
      'dist/web/index.html',
      'deploy/systemd/rookery.service',
      'docs/guide/README.md',
    ]),
  )
  expect(paths.filter((path) => /\.tsx?$|^(test|web|bench|scripts)\//.test(path))).toEqual([])
  const named = repository().flatMap(({ path, text }) =>
    path.startsWith('src/') && !/test\.ts$|generate-schema/.test(path)
      ? [...text.matchAll(/new URL\('(\.[^']*)', import\.meta\.url\)/g)].map(([, file]) =>
          join(dirname(path), file!),
        )
      : [],
  )
  expect(named.length).toBeGreaterThan(5)
  const missing = named.filter((file) => !paths.some((path) => path.startsWith(file)))
  expect(missing).toEqual([])
})
