// Runs tests against the real programs that are on this machine, in place of the small ones of the tests: PostgreSQL of every
// version below /usr/lib/postgresql, nginx, Caddy, and the NATS server. Names what it has not found.
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { at } from './sources.mjs'

/** Tests of what differs from one PostgreSQL to the next: its log, its search, its dumps, and the operations that use most of its SQL. */
const ofDatabase = [
  'src/db',
  'src/log',
  'src/features/messages/messages',
  'src/features/clients/exports',
  'src/cli/backup.test.ts',
  'src/cli/migrate.test.ts',
]
const folder = '/usr/lib/postgresql'
const failed = []

for (const version of existsSync(folder) ? readdirSync(folder).sort() : []) await onPostgres(version)
const [nginx, caddy, nats] = ['nginx', 'caddy', 'nats-server'].map(programOf)
if (nginx || caddy)
  run('proxies', ['test/deploy-proxies.test.ts'], { TEST_NGINX: nginx, TEST_CADDY: caddy, LONG_POLLS: '1' })
if (nats)
  run('NATS', ['src/adapters/nats.test.ts', 'src/log/wake-by-nats.test.ts'], { TEST_NATS_SERVER: nats })
for (const [name, program] of Object.entries({ nginx, caddy, 'nats-server': nats })) {
  if (!program) console.log(`${name} is not on this machine.`)
}
if (failed.length > 0) {
  console.error(`Failed: ${failed.join(', ')}.`)
  process.exit(1)
}

function programOf(name) {
  const given = process.env[`TEST_${name.toUpperCase().replace('-', '_')}`]
  if (given) return given
  const { stdout, status } = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

function run(name, files, variables) {
  console.log(`\n${name}`)
  const given = Object.entries(variables).filter(([, value]) => value !== undefined)
  const env = { ...process.env, ...Object.fromEntries(given) }
  const { status } = spawnSync('npx', ['vitest', 'run', ...files], { cwd: at(), env, stdio: 'inherit' })
  if (status !== 0) failed.push(name)
}

async function onPostgres(version) {
  const place = mkdtempSync(join(tmpdir(), `rookery-postgres-${version}-`))
  const program = (name) => join(folder, version, 'bin', name)
  // PostgreSQL refuses to be root.
  const isRoot = process.geteuid?.() === 0
  const as = (name, args) =>
    isRoot
      ? execFileSync('runuser', ['-u', 'postgres', '--', program(name), ...args], {
          stdio: 'ignore',
          cwd: place,
        })
      : execFileSync(program(name), args, { stdio: 'ignore' })
  if (isRoot) execFileSync('chown', ['postgres', place])
  chmodSync(place, 0o755)
  const data = join(place, 'data')
  const port = await freePort()
  as('initdb', ['-D', data, '--encoding=UTF8', '--locale=C.UTF-8', '--username=postgres', '--auth=trust'])
  as('pg_ctl', [
    '-D',
    data,
    '-w',
    '-l',
    join(place, 'log'),
    '-o',
    `-p ${port} -k ${place} -c max_connections=300 -c fsync=off`,
    'start',
  ])
  try {
    run(`PostgreSQL ${version}`, ofDatabase, {
      TEST_DATABASE_URL: `postgresql://postgres@127.0.0.1:${port}/postgres`,
    })
  } finally {
    as('pg_ctl', ['-D', data, '-m', 'fast', '-w', 'stop'])
    rmSync(place, { recursive: true, force: true })
  }
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}
