import { get } from 'node:http'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { metricsToken, newDirectory, rookery, startServer } from '../../test/command-line.ts'
import { newDatabase } from '../../test/runner/database.ts'

const fewFiles = 300
const waits = /the server may have 300 files open, so it serves \d+ connections of clients and refuses more/i

/** Loaded into the server before anything else: the system then lets it open few files. */
const withFewFiles = `import { execFileSync } from 'node:child_process'
  execFileSync('prlimit', ['--pid', String(process.pid), '--nofile=${fewFiles}:${fewFiles}'])`

test.runIf(process.platform === 'linux')(
  'a server that may open few files says so, and answers connections that it has no room for',
  async () => {
    const [directory, database] = [await newDirectory(), await newDatabase()]
    const server = await startServer({
      ROOKERY_DATA: directory,
      DATABASE_URL: database.url,
      ROOKERY_METRICS_TOKEN: metricsToken,
      NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(withFewFiles)}`,
    })
    const warning = expect.objectContaining({ level: 40, msg: expect.stringMatching(waits) })
    await expect.poll(() => server.logged).toContainEqual(warning)
    const doctor = await rookery('doctor', server.environment)
    expect(doctor.stdout).toMatch(waits)
    const sockets = await Promise.all(Array.from({ length: 170 }, () => opened(server.port)))
    onTestFinished(() => sockets.forEach((socket) => void socket.destroy()))
    expect(await statusAt(server.port, '/api/v1/server_settings')).toBe(503)
    expect(await statusAt(server.port, '/health/ready')).toBe(200)
    for (const socket of sockets) socket.destroy()
    await expect.poll(() => statusAt(server.port, '/api/v1/server_settings')).toBe(200)
    expect(await server.stop('SIGTERM')).toBe(0)
    await database.drop()
  },
)

function opened(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(port, '127.0.0.1', () => resolve(socket)).once('error', reject)
  })
}

function statusAt(port: number, path: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get({ port, path, host: '127.0.0.1', agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode)
    }).once('error', reject)
  })
}
