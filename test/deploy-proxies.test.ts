import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { freePort } from '../src/lib/network/free-port.ts'
import { watchAuditLog } from './audit-entries.ts'
import { EventStream } from './event-stream.ts'
import type { Organization } from './organization.ts'
import { Person } from './person.ts'
import { sendFiles } from './pictures.ts'
import { type Node, publicHost, testServer } from './test-server.ts'

// The examples below deploy/, in front of a server: uploads, long polls and event streams go through them. They run where the
// programs are: TEST_NGINX=/path/to/nginx, TEST_CADDY=/path/to/caddy, TEST_HAPROXY=/path/to/haproxy, or on the path. TLS is left out.

const server = testServer({ trustProxy: true })
const directory = mkdtempSync(join(tmpdir(), 'rookery-proxies-'))

afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** Returns the program, if it is on this machine. */
function programOf(name: string, variable: string): string | undefined {
  const given = process.env[variable]
  if (given) return given
  try {
    execFileSync('sh', ['-c', `command -v ${name}`])
    return name
  } catch {
    return undefined
  }
}

const example = (path: string) => readFileSync(new URL(`../deploy/${path}`, import.meta.url), 'utf8')

/** The example without TLS, for another host, port and server. */
function nginxFile(path: string, port: number): string {
  const plain = example(path)
    .replace(/server \{\n {4}listen 80;[\s\S]*?\n\}\n/, '')
    .replace(/^ +(ssl_|listen \[).*\n/gm, '')
    .replace(/listen 443 ssl http2;/, `listen 127.0.0.1:${port};`)
    .replaceAll('chat.example.org', publicHost)
    .replace('127.0.0.1:9990', `127.0.0.1:${server.node.port}`)
    .replace('127.0.0.1:9991', `127.0.0.1:${second.port}`)
  const place = `client_body_temp_path ${directory}/body; proxy_temp_path ${directory}/proxy; access_log off;
    fastcgi_temp_path ${directory}/f; uwsgi_temp_path ${directory}/u; scgi_temp_path ${directory}/s;`
  return `daemon off; pid ${directory}/nginx.pid; error_log ${directory}/nginx.log;
events {}
http { ${place}
${plain} }`
}

function caddyFile(path: string, port: number): string {
  return `{\n\tadmin off\n\tauto_https off\n}\n${example(path)}`
    .replace(/^chat\.example\.org.*\{$/m, `http://${publicHost}:${port}, http://*.${publicHost}:${port} {`)
    .replace('127.0.0.1:9990', `127.0.0.1:${server.node.port}`)
    .replace('127.0.0.1:9991', `127.0.0.1:${second.port}`)
}

function haproxyFile(path: string, port: number): string {
  return example(path)
    .replace(/^ +(bind :80|http-request redirect .*)\n/gm, '')
    .replace(/bind :443 .*/, `bind 127.0.0.1:${port}`)
    .replace('127.0.0.1:9990', `127.0.0.1:${server.node.port}`)
    .replace('127.0.0.1:9991', `127.0.0.1:${second.port}`)
}

/** The words after the name of each program that run it with a file. */
const run = {
  nginx: (file: string) => ['-c', file],
  caddy: (file: string) => ['run', '--adapter', 'caddyfile', '--config', file],
  haproxy: (file: string) => ['-db', '-f', file],
}

/** The other server of the examples that have two. */
let second: Node

beforeAll(async () => {
  second = await server.anotherNode()
})

const proxies = [
  {
    name: 'nginx',
    program: programOf('nginx', 'TEST_NGINX'),
    path: 'nginx/one-organization.conf',
    write: nginxFile,
  },
  {
    name: 'nginx',
    program: programOf('nginx', 'TEST_NGINX'),
    path: 'nginx/several-organizations.conf',
    write: nginxFile,
  },
  {
    name: 'caddy',
    program: programOf('caddy', 'TEST_CADDY'),
    path: 'caddy/one-organization.Caddyfile',
    write: caddyFile,
  },
  {
    name: 'caddy',
    program: programOf('caddy', 'TEST_CADDY'),
    path: 'caddy/several-organizations.Caddyfile',
    write: caddyFile,
  },
  {
    name: 'nginx',
    program: programOf('nginx', 'TEST_NGINX'),
    path: 'nginx/several-servers.conf',
    write: nginxFile,
  },
  {
    name: 'caddy',
    program: programOf('caddy', 'TEST_CADDY'),
    path: 'caddy/several-servers.Caddyfile',
    write: caddyFile,
  },
  {
    name: 'haproxy',
    program: programOf('haproxy', 'TEST_HAPROXY'),
    path: 'haproxy/several-servers.cfg',
    write: haproxyFile,
  },
] as const

describe.each(proxies)('$path', ({ name, program, path, write }) => {
  let proxy: ChildProcess | undefined
  let organization: Organization
  let owner: Person
  let port: number

  beforeAll(async () => {
    if (!program) return
    port = await freePort()
    const file = join(directory, path.replaceAll('/', '-'))
    writeFileSync(file, write(path, port))
    proxy = spawn(program, run[name](file), { stdio: 'ignore', env: { ...process.env, HOME: directory } })
    organization = await server.organization()
    const direct = organization.owner
    owner = direct.at({ ...direct.place, port })
    await vi.waitFor(async () => expect((await owner.get('/users/me')).status).toBe(200), { timeout: 20_000 })
  })

  afterAll(async () => {
    const ended = new Promise((resolve) => proxy?.once('exit', resolve) ?? resolve(0))
    proxy?.kill('SIGTERM')
    await ended
  })

  test.skipIf(!program)('takes a large upload, and gives it back', async () => {
    const content = randomBytes(30 * 1024 * 1024)
    const { status, body } = await sendFiles(owner, 'POST', '/user_uploads', [{ name: 'a.bin', content }])
    expect(status).toBe(200)
    const { bytes } = await owner.raw({ method: 'GET', path: body.url })
    expect(bytes.equals(content)).toBe(true)
  })

  test.skipIf(!program)('takes an address as long as the server takes one', async () => {
    const ids = Array.from({ length: 4_000 }, (_, i) => 100_000_000 + i)
    const { status, body } = await owner.get('/messages', { message_ids: ids })
    expect([status, body.messages]).toEqual([200, []])
  })

  test.skipIf(!program)('lets a poll wait, and passes an event of a stream on immediately', async () => {
    const { queueId, state } = await owner.register({ event_types: ['typing', 'message'] })
    const stream = new EventStream(owner, queueId, { lastEventId: state.last_event_id })
    await vi.waitFor(() => expect(stream.status).toBe(200), { timeout: 20_000 })
    const other = await owner.register({ event_types: ['message'] })
    const poll = other.next()
    await owner.post('/messages', { type: 'direct', to: [owner.id], content: 'through the proxy' })
    expect(await poll).toMatchObject([{ type: 'message' }])
    await vi.waitFor(() => expect(stream.events).toMatchObject([{ type: 'message' }]), { timeout: 20_000 })
    await stream.close()
  })

  test.skipIf(!program || process.env.LONG_POLLS !== '1')(
    'does not end a poll before the server answers it',
    async () => {
      const { queueId, state } = await owner.register({ event_types: ['message'] })
      const begun = performance.now()
      const { body } = await owner.get('/events', { queue_id: queueId, last_event_id: state.last_event_id })
      expect(body.events).toMatchObject([{ type: 'heartbeat' }])
      expect(performance.now() - begun).toBeGreaterThan(40_000)
    },
    70_000,
  )

  test.skipIf(!program)('tells the address of a client, whatever the client says of it', async () => {
    const news = await watchAuditLog(organization)
    const wrong = new Person(owner.place, { ...owner, key: 'a'.repeat(32) })
    const headers = { 'x-forwarded-for': '192.0.2.7', 'x-real-ip': '192.0.2.8', forwarded: 'for=192.0.2.9' }
    expect((await wrong.get('/users/me', {}, { headers })).status).toBe(401)
    // A commit of the same organization waits for those before it.
    await organization.owner.patch('/realm', { name: 'New name' })
    expect(await news()).toMatchObject([
      { kind: 'key.refuse', ip: '127.0.0.1' },
      { kind: 'organization.update' },
    ])
  })

  test.skipIf(!program)('keeps health checks and metrics to itself', async () => {
    const statusOf = async (at: string) => (await owner.raw({ method: 'GET', path: at })).status
    expect(await Promise.all(['/health/ready', '/metrics', '/login'].map(statusOf))).toEqual([403, 403, 200])
  })

  test.skipIf(!program)('has the clients of an organization at one server', async () => {
    const queues = () => [server.node, second].map(({ app }) => app.queues.open.queues)
    const before = queues()
    for (let i = 0; i < 4; i++) await owner.register({ event_types: ['message'] })
    const more = queues().map((count, i) => count - before[i]!)
    expect(more.toSorted()).toEqual([0, 4])
  })
})
