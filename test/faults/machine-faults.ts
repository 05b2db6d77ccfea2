import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startBucketServer } from '../programs/bucket-server.ts'
import { expiredServer } from '../programs/expired-server.ts'
import type { Fault } from './faults.ts'
import type { Trial } from './trial.ts'

function set(trial: Trial, settings: NodeJS.ProcessEnv) {
  Object.assign(trial.settings, settings)
}

async function occupy(trial: Trial, port: number) {
  const server = createTcpServer()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  trial.undo.push(() => server.close())
}

/** Shifts the clock of the processes that a trial starts. */
function shiftClock(trial: Trial, seconds: number) {
  const file = join(trial.directory, 'clock.cjs')
  writeFileSync(file, `const now = Date.now; Date.now = () => now() + ${seconds * 1000}\n`)
  trial.settings.NODE_OPTIONS = `--require ${file}`
}

const backup = (trial: Trial, text: string) => writeFileSync(join(trial.directory, 'backup.json'), text)

/** Something is wrong with the machine, the network in front of it, or the settings. */
export const machineFaults: Fault[] = [
  {
    name: 'The disk of the data directory is full',
    before: (trial) => {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', trial.directory])
      trial.undo.push(() => execFileSync('umount', ['-l', trial.directory]))
    },
    cause: (trial) => {
      try {
        writeFileSync(join(trial.directory, 'filler'), Buffer.alloc(16 * 1024 * 1024))
      } catch {}
    },
    meet: (trial) => trial.upload(),
    metrics: /disk_free_bytes/,
    expected: {
      ready: /503: file_store/,
      metrics: /disk_free_bytes\{disk="data"\} 0/,
      log: /The file store failed: .*ENOSPC/,
      doctor: /FAIL .*GiB free/,
    },
  },
  {
    name: 'The directory of uploads cannot be written',
    cause: (trial) => {
      rmSync(join(trial.directory, 'uploads'), { recursive: true, force: true })
      writeFileSync(join(trial.directory, 'uploads'), 'in the way')
    },
    meet: (trial) => trial.upload(),
    expected: {
      ready: /503: file_store/,
      metrics: /file store"} rises/,
      log: /ENOTDIR|EEXIST/,
      doctor: /FAIL/,
    },
  },
  {
    name: 'Uploaded files are lost',
    cause: async (trial) => {
      await trial.upload()
      rmSync(join(trial.directory, 'uploads'), { recursive: true })
      mkdirSync(join(trial.directory, 'uploads'))
    },
    expected: { doctor: /FAIL .*uploads looked at are not in/ },
  },
  {
    name: 'Uploads were left in the directory when a bucket was set',
    before: async (trial) => {
      await trial.start()
      await trial.upload()
      await trial.end()
      const server = await startBucketServer()
      trial.undo.push(() => server.stop())
      set(trial, server.settings)
    },
    expected: { log: /not in the bucket|nobody can open/, doctor: /nobody can open|not in the bucket/ },
  },
  {
    name: 'The clock of the server is an hour behind',
    before: (trial) => shiftClock(trial, -3600),
    metrics: /clock_skew_seconds/,
    expected: {
      metrics: /clock_skew_seconds 3\d\d\d/,
      doctor: /FAIL the clocks of this machine and of the database/,
    },
  },
  {
    name: 'The clock was ahead, and has been set back',
    cause: async (trial) => {
      await trial.send()
      await trial.sql('UPDATE event_log SET created_at = created_at + 7200')
    },
    expected: { doctor: /FAIL the newest change is dated \d+ minutes in the future/ },
  },
  {
    name: 'The process hangs',
    cause: (trial) => trial.signal('SIGSTOP'),
    expected: {
      ready: /no response/,
      metrics: /no response/,
      doctor: /FAIL the server does not answer at .*in time/,
    },
  },
  {
    name: 'The process was killed',
    cause: async (trial) => {
      trial.signal('SIGKILL')
      await sleep(500)
    },
    expected: {
      ready: /no response/,
      metrics: /no response/,
      doctor: /warn no server answers at .*ECONNREFUSED/,
    },
  },
  {
    name: 'The port is taken',
    before: (trial) => occupy(trial, trial.port),
    expected: { log: /set PORT to another one/ },
  },
  {
    name: 'The port of the metrics is taken',
    before: (trial) => occupy(trial, trial.metricsPort),
    expected: { log: /set ROOKERY_METRICS_PORT to another one/ },
  },
  {
    name: 'A second server is started on the same data directory',
    before: async (trial) => {
      await trial.start()
      trial.settings.PORT = '0'
      trial.settings.ROOKERY_METRICS_PORT = ''
      trial.detach()
    },
    expected: { log: /another|already|in use/i },
  },
  {
    name: 'The name of a setting is misspelt',
    before: (trial) => set(trial, { ROOKERY_SMPT_URL: 'smtp://localhost' }),
    expected: {
      ready: /no response/,
      log: /did you mean ROOKERY_SMTP_URL/,
      doctor: /did you mean ROOKERY_SMTP_URL/,
    },
  },
  {
    name: 'The secret of the server is damaged',
    before: (trial) => writeFileSync(join(trial.directory, 'secret'), 'short'),
    expected: { ready: /no response/, log: /secret .*damaged/, doctor: /FAIL The secret .*damaged/ },
  },
  {
    name: 'The public name is not in the DNS',
    before: (trial) => set(trial, { ROOKERY_URL: 'https://chat.rookery.invalid' }),
    expected: { doctor: /FAIL the public address .*is unknown/ },
  },
  {
    name: 'The certificate of the public address has expired',
    before: async (trial) => {
      const server = await expiredServer()
      trial.undo.push(() => server.close())
      set(trial, { ROOKERY_URL: server.url })
    },
    expected: { doctor: /FAIL .*cannot be trusted: .*(certificate|self-signed)/ },
  },
  {
    name: 'The public address leads to another program',
    before: async (trial) => {
      const server = createServer((_, response) => response.end('<h1>It works!</h1>'))
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      trial.undo.push(() => server.close())
      set(trial, { ROOKERY_URL: `http://127.0.0.1:${(server.address() as { port: number }).port}` })
    },
    expected: { doctor: /FAIL .*not at .*not of Rookery/ },
  },
  {
    name: 'Passwords are guessed',
    meet: (trial) => trial.logIn(),
    metrics: /logins_total\{method="Email",outcome="refused"\}/,
    expected: { metrics: /refused"} rises/, log: /login refused/ },
  },
  {
    name: 'The last backup is old',
    before: (trial) => backup(trial, JSON.stringify({ finished_at: new Date().toISOString(), kind: 'full' })),
    cause: (trial) => backup(trial, JSON.stringify({ finished_at: '2026-01-02T03:04:05Z', kind: 'full' })),
    metrics: /last_backup_timestamp/,
    expected: { metrics: /last_backup_timestamp/, doctor: /warn the last backup .*days ago/ },
  },
  {
    name: 'Groups of the sign-on service lead to a group that is not there',
    before: (trial) =>
      set(trial, {
        ROOKERY_LDAP_URL: 'ldap://127.0.0.1:1',
        ROOKERY_LDAP_BASE: 'dc=example',
        ROOKERY_SIGN_ON_GROUPS: 'ops=operators',
      }),
    expected: { log: /operators, which is not in/, doctor: /warn .*operators, which is not in/ },
  },
  {
    name: 'An operation has a fault of its own',
    cause: (trial) => trial.sql('ALTER TABLE draft RENAME COLUMN realm_id TO realm_away'),
    meet: (trial) => trial.ask('GET', '/drafts'),
    metrics: /http_requests_total\{operation="GET \/drafts",status="500"\}/,
    expected: { metrics: /500/, log: /request failed/ },
  },
]
