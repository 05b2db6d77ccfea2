import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, open, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { contentPath } from '../../src/features/messages/uploads/paths.ts'
import { hashFile } from '../../src/lib/files/hashed-file.ts'
import { freePort } from '../../src/lib/network/free-port.ts'
import { startEmbeddedPostgres } from '../../src/postgres/embedded.ts'
import { historySize, type Organization, seed } from '../seed.ts'
import { runCommand, serve, serverEnvironment } from '../server.ts'
import { delays, type Sent, steadySends } from './steady-sends.ts'

// Backs a server up while people write, restores it elsewhere, and compares: every message that was acknowledged before the moment of
// the backup must be there, and every file byte for byte.

const usage = `npm run drill [-- --messages N --files GIB --rate N --seconds N --at DIRECTORY]

--messages N     messages that are there before (100000)
--files GIB      sparse files that are there before, of 256 MiB each (1)
--rate N         sends per second during the backups (500)
--seconds N      how long people write before, between and after the two backups (5)
--at DIRECTORY   where there is room (the temporary files)
`

type Line = { what: string; seconds?: number; note: string }

const lines: Line[] = []

async function main() {
  const { values } = parseArgs({
    options: {
      messages: { type: 'string', default: '100000' },
      files: { type: 'string', default: '1' },
      rate: { type: 'string', default: '500' },
      seconds: { type: 'string', default: '5' },
      at: { type: 'string', default: tmpdir() },
      help: { type: 'boolean' },
    },
  })
  if (values.help) return console.log(usage)
  const place = await mkdtemp(join(values.at, 'rookery-drill-'))
  try {
    const [data, copy, folder] = ['data', 'restored', 'backups'].map((name) => join(place, name)) as [
      string,
      string,
      string,
    ]
    const organization = await prepare(data, Number(values.messages), Number(values.files))
    const sent = await serveAndBackUp(data, folder, organization, Number(values.rate), Number(values.seconds))
    await rookery('verify', 'backup', 'verify', folder, '--data', data, '--at', place)
    await rookery('restore', 'restore', folder, '--data', copy)
    const faults = [...(await lost(copy, folder, sent)), ...(await differentFiles(data, copy))]
    for (const { what, seconds, note } of lines) {
      console.log(
        `${what.padEnd(22)}${seconds === undefined ? ''.padEnd(10) : `${seconds.toFixed(1)} s`.padEnd(10)}${note}`,
      )
    }
    for (const fault of faults.slice(0, 20)) console.log(`FAULT  ${fault}`)
    console.log(faults.length === 0 ? 'Nothing is lost.' : `${faults.length} faults.`)
    process.exitCode = faults.length === 0 ? 0 : 1
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}

async function prepare(data: string, messages: number, gibibytes: number): Promise<Organization> {
  const begun = performance.now()
  await mkdir(data, { recursive: true, mode: 0o700 })
  const postgres = await startEmbeddedPostgres({ dataDir: data, log: () => {} })
  try {
    const size = { ...historySize, messages, unread: Math.min(1_000, messages) }
    const organization = await seed(postgres.url, size)
    const bytes = await addFiles(postgres.url, data, gibibytes)
    const { used } = await one<{ used: string }>(
      postgres.url,
      'SELECT pg_database_size(current_database()) AS used',
    )
    const note = `${messages} messages (${mebibytes(Number(used))} of database), ${mebibytes(bytes)} of sparse files`
    lines.push({ what: 'prepare', seconds: since(begun), note })
    return organization
  } finally {
    await postgres.stop()
  }
}

const fileSize = 256 * 1024 ** 2

async function addFiles(url: string, data: string, gibibytes: number): Promise<number> {
  const count = Math.round((gibibytes * 1024 ** 3) / fileSize)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (let i = 0; i < count; i++) {
    const path = `1/${i % 256}/drill${String(i).padStart(8, '0')}/drill.bin`
    const file = join(data, 'uploads', contentPath(path))
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    const handle = await open(file, 'wx', 0o600)
    for (const at of [0, fileSize / 2, fileSize - 70_000])
      await handle.write(randomBytes(65_536), 0, 65_536, at)
    await handle.truncate(fileSize)
    await handle.close()
    await client.query(
      `INSERT INTO attachment (realm_id, owner_id, path, name, size, content_type, created_at)
       SELECT r.id, min(a.id), $1, 'drill.bin', $2, 'application/octet-stream', 1 FROM realm r
       JOIN account a ON a.realm_id = r.id AND a.bot_type IS NULL GROUP BY r.id`,
      [path, fileSize],
    )
  }
  await client.end()
  return count * fileSize
}

/** Returns what was acknowledged, and when. */
async function serveAndBackUp(
  data: string,
  folder: string,
  organization: Organization,
  rate: number,
  seconds: number,
): Promise<Sent[]> {
  const port = await freePort()
  const environment = { ...serverEnvironment(port, data), ROOKERY_DATABASE_CONNECTIONS: '20' }
  const server = await serve(port, environment)
  try {
    const sends = steadySends([port], organization, rate)
    await sleep(seconds * 1000)
    await rookery('full backup', 'backup', folder, '--data', data)
    await sleep(seconds * 1000)
    await rookery('incremental backup', 'backup', folder, '--data', data)
    await sleep(seconds * 1000)
    const sent = await sends.stop()
    const perSecond = (sent.length / sends.seconds()).toFixed(0)
    const note = `${sent.length} acknowledged, ${perSecond} per second; ${delays(sent.map(({ latency }) => latency))}`
    lines.push({ what: 'sends meanwhile', seconds: sends.seconds(), note })
    return sent
  } finally {
    await server.stop()
  }
}

async function rookery(what: string, ...words: string[]) {
  const begun = performance.now()
  const said = await runCommand(words)
  lines.push({ what, seconds: since(begun), note: said.replaceAll('\n', ' ') })
}

async function lost(copy: string, folder: string, sent: Sent[]): Promise<string[]> {
  const [newest = ''] = (await readdir(join(folder, 'backups')))
    .filter((name) => name.endsWith('.json'))
    .sort()
    .reverse()
  const { default: manifest } = await import(join(folder, 'backups', newest), { with: { type: 'json' } })
  const moment = Date.parse(manifest.moment)
  const before = sent.filter(({ acknowledged }) => acknowledged < moment)
  const postgres = await startEmbeddedPostgres({ dataDir: copy, log: () => {} })
  try {
    const client = new pg.Client({ connectionString: postgres.url })
    await client.connect()
    const { rows } = await client.query<{ id: string; content: string }>(
      "SELECT id, content FROM message WHERE realm_id = 1 AND topic = 'drill'",
    )
    await client.end()
    const there = new Map(rows.map(({ id, content }) => [Number(id), content]))
    const missing = before.filter(({ id, text }) => there.get(id) !== text)
    lines.push({
      what: 'messages',
      note: `${before.length} acknowledged before the moment, ${before.length - missing.length} of them restored`,
    })
    return missing.map(({ id, text }) => `The message ${id} (${text}) is lost.`)
  } finally {
    await postgres.stop()
  }
}

async function differentFiles(data: string, copy: string): Promise<string[]> {
  const begun = performance.now()
  const faults: string[] = []
  let [count, used] = [0, 0]
  for (const entry of await readdir(join(data, 'uploads'), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    const other = join(copy, file.slice(data.length))
    const [a, b] = [await hashFile(file), await hashFile(other)]
    if (!a || a.sha256 !== b?.sha256 || a.bytes !== b.bytes) faults.push(`The file ${file} differs.`)
    count++
    used += ((await stat(other).catch(() => undefined))?.blocks ?? 0) * 512
  }
  lines.push({
    what: 'files',
    seconds: since(begun),
    note: `${count} compared, which take ${mebibytes(used)} of disk where they were restored`,
  })
  return faults
}

async function one<Row extends pg.QueryResultRow>(url: string, query: string): Promise<Row> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
    .query<Row>(query)
    .then(({ rows }) => rows[0]!)
    .finally(() => client.end())
}

function since(begun: number): number {
  return (performance.now() - begun) / 1000
}

function mebibytes(bytes: number): string {
  return `${(bytes / 1024 ** 2).toFixed(0)} MiB`
}

await main()
